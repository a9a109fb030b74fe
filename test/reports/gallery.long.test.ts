/** Every picture of the gallery is readable in all widths and colours, on all data sets. */
import t from 'tap';
import { readSvg } from '../../plugins/reports/test/svg.js';
import { registerAdmin, testApp } from '../support/app.js';
import { DATA_SETS } from './data-sets.js';
import { pathOf, REQUESTS } from './gallery-requests.js';
import { addPlans } from './plans.js';

const WIDTHS = [700, 1_200, 2_000];
/** A note of large graphs, in the languages of the requests: only their texts may be smaller than those of other pictures. */
const SMALL = /The texts are small|Die Texte sind klein/;
const PUBLIC_URL = 'https://lintel.example.org';

/** Texts that were cut, without their full text in any title. */
function lost(svg: string): string[] {
  const { texts, titles } = readSvg(svg);
  return texts
    .map(({ content }) => content)
    .filter((content) => content.endsWith('…') && content.length > 1)
    .filter((content) => !titles.some((title) => title.includes(content.slice(0, -1).trimEnd())));
}

for (const set of DATA_SETS)
  t.test(set.title, { skip: set.absent ?? false }, async (t) => {
    const app = await testApp();
    t.teardown(app.close);
    const admin = await registerAdmin(app.origin);
    await set.fill(app, admin);
    if (set.key === 'demo') await addPlans(admin);
    const linked = await testApp({ database: app.database, config: { publicUrl: PUBLIC_URL } });
    t.teardown(linked.close);
    const picture = async (origin: string, path: string): Promise<string> => {
      const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${admin.token}` } });
      const text = await answer.text();
      if (answer.status !== 200) t.fail(`${path} gave ${answer.status} ${text}`);
      return text;
    };

    for (const request of REQUESTS[set.key])
      await t.test(request.name, async (t) => {
        const path = (await pathOf(request, admin)).replaceAll(/&?theme=\w+/g, '');
        for (const width of WIDTHS)
          for (const theme of ['light', 'dark']) {
            const svg = await picture(app.origin, `${path}&format=svg&width=${width}&theme=${theme}`);
            const at = `${width} px, ${theme}`;
            const isSmall = request.report === 'dependencies' && SMALL.test(svg);
            // Narrow graphs are previews, in which the shape counts more than the texts.
            const { problems, links, texts } = readSvg(svg, isSmall ? 3 : width < 1_200 ? 7 : 10);
            // An icon and two lines of text for each node: such graphs have more than 60 nodes.
            if (isSmall) t.ok(texts.length > 120, at);
            t.same(problems.slice(0, 3), [], at);
            t.same(lost(svg).slice(0, 3), [], `${at}: cut texts have their full text`);
            t.same(links, [], `${at}: no links without a public address`);
            t.ok(texts.length > 1, at);
          }
        const { links } = readSvg(await picture(linked.origin, `${path}&format=svg`));
        const foreign = links.filter((link) => !link.startsWith(`${PUBLIC_URL}/api/v1/`));
        t.same(foreign, [], 'links lead to the public address');
      });
  });
