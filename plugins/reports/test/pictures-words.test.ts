/** The fixed texts of drawings follow the language of the request. */
import t from 'tap';
import { drawings } from '../pictures/index.js';
import { EMPTY, names, options } from './picture-contents.js';
import { bars, figures, picture, treemap } from './picture-samples.js';
import { readSvg } from './svg.js';

const drawer = drawings();
t.teardown(() => drawer.close());

const EXPECTED = {
  en: ['No data', 'Area: EUR per year', '… and 40 more bars', '… and 1 more figure'],
  de: ['Keine Daten', 'Fläche: EUR per year', '… und 40 weitere Balken', '… und 1 weitere Kennzahl'],
  'fr-CA': ['Aucune donnée', 'Surface : EUR per year', '… et 40 autres barres', '… et 1 autre chiffre'],
  es: ['Sin datos', 'Área: EUR per year', '… y 40 barras más', '… y 1 cifra más'],
  'it-CH': ['Nessun dato', 'Area: EUR per year', '… e 40 altre barre', '… e 1 altra cifra'],
  pl: ['No data', 'Area: EUR per year', '… and 40 more bars', '… and 1 more figure'],
  'not a language': ['No data', 'Area: EUR per year', '… and 40 more bars', '… and 1 more figure'],
};

for (const [lang, expected] of Object.entries(EXPECTED))
  t.test(`language ${lang}`, async (t) => {
    const contents = [EMPTY['bars']!, treemap(2, 2), bars(names(100)), figures(61)];
    for (const [i, content] of contents.entries()) {
      const { texts, problems } = readSvg(await drawer.svg(picture(content), options(1_200, 'light', { lang })));
      t.strictSame(problems, []);
      const all = texts.map((one) => one.content.replaceAll(/\s/g, ' '));
      t.ok(all.includes(expected[i]!), `${expected[i]!} in ${all.slice(-4).join(' | ')}`);
    }
  });
