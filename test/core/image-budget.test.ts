/**
 * Images in drawings: what is decoded is bounded before it is decoded. Runs in a process of its own: it measures memory.
 */
import { deflateSync } from 'node:zlib';
import t from 'tap';
import { imageHeader, pngOf } from '@lintel/sdk/drawing';

const CRC = Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = CRC[(crc ^ byte) & 255]! ^ (crc >>> 8);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, body, sum]);
}
/** A black PNG of one bit a pixel: a ten-thousandth of its pixels in bytes. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))]);
}
const address = (image: Buffer): string => `data:image/png;base64,${image.toString('base64')}`;
const svgOf = (...images: string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="40" height="40">${images.join('')}</svg>`;
const at = (x: number, href: string): string => `<image x="${x}" y="0" width="10" height="10" ${href}/>`;
/** The pixels at the middle of the four places that are drawn. */
const { Resvg } = await import('@resvg/resvg-js');
const drawn = (svg: string): boolean[] => {
  const png = Buffer.from(pngOf(svg, { width: 40 })).toString('base64');
  const shown = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><image width="40" height="40" href="data:image/png;base64,${png}"/></svg>`;
  const { pixels } = new Resvg(shown).render();
  return [5, 15, 25, 35].map((x) => pixels[(5 * 40 + x) * 4 + 3] !== 0);
};
const peak = (): number => process.resourceUsage().maxRSS / 1_024;

t.test('images beyond the sum of ten million pixels are left out, each use counts', async (t) => {
  const [small, large] = [address(blackPng(10, 10)), address(blackPng(2_000, 2_000))];
  t.strictSame(drawn(svgOf(at(0, `href="${small}"`), at(20, `x:href='${small}'`))), [true, false, true, false]);
  const three = svgOf(...[0, 10, 20].map((x) => at(x, `href="${large}"`)), at(30, `href="${small}"`));
  t.strictSame(drawn(three), [true, true, false, true]);
});

t.test(
  'a file of 10 kB with 81 million pixels, ways to hide it, and a canvas without end take no memory',
  async (t) => {
    const huge = address(blackPng(9_000, 9_000));
    t.ok(huge.length < 20_000);
    pngOf(svgOf(at(0, `href="${address(blackPng(10, 10))}"`)), { width: 40 });
    const before = peak();
    const nested = `data:image/svg+xml;base64,${Buffer.from(svgOf(at(0, `href="${huge}"`))).toString('base64')}`;
    for (const href of [
      `href="${huge}"`,
      `href = '${huge}'`,
      `x:href="${huge}"`,
      `href="&#100;ata${huge.slice(4)}"`,
      `href="&#x64;ata&#58;${huge.slice(5)}"`,
      `href=" \n${huge}"`,
      `href="DATA${huge.slice(4)}"`,
      `href="${huge.replace('image/png', 'text/plain')}"`,
      `href="${huge.replace('image/png', 'image/png;charset=utf-8')}"`,
      `href="${nested}"`,
      `href="${huge.replace(';base64', '')}"`,
    ])
      t.strictSame(drawn(svgOf(at(0, href))), [false, false, false, false], href.slice(0, 40));
    t.throws(() => pngOf(`<!DOCTYPE svg [<!ENTITY i "${huge}">]>${svgOf(at(0, 'href="&i;"'))}`, { width: 40 }));
    t.ok(peak() - before < 40, `${(peak() - before).toFixed(0)} MB more`);
    const canvas = '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"/>';
    t.ok(pngOf(canvas, { width: 60_000 }).length > 0);
    for (const tall of [
      '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1e9"/>',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 100000000"/>',
    ])
      t.throws(() => pngOf(tall, { width: 40 }));
    t.ok(peak() - before < 160, `${(peak() - before).toFixed(0)} MB more`);
  },
);

t.test('sizes come from headers; damaged and ambiguous ones have none', async (t) => {
  t.strictSame(imageHeader(blackPng(300, 20)), { type: 'png', width: 300, height: 20 });
  const frame = (width: number, height: number): number[] => [
    ...[0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3],
    ...Array.from({ length: 9 }, () => 0),
  ];
  const jpeg = (...parts: number[][]): Uint8Array => Uint8Array.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9]);
  const comment = [0xff, 0xfe, 0, 4, 1, 2];
  t.strictSame(imageHeader(jpeg(comment, frame(400, 300))), { type: 'jpeg', width: 400, height: 300 });
  // A decoder that skips what is no segment would find the second header.
  for (const skipped of [[0xff], [0xff, 0xd0], [0], [0xff, 0xda, 0, 2], [0xff, 0xfe, 0, 1]])
    t.equal(imageHeader(jpeg(skipped, frame(10, 10), frame(9_000, 9_000))), undefined, String(skipped));
  for (const [side, pixels] of [
    [16, 0],
    [20, 0],
    [16, 10_001],
  ] as const) {
    const png = blackPng(10, 10);
    png.writeUInt32BE(pixels, side);
    t.equal(imageHeader(png), undefined);
  }
  t.equal(imageHeader(Buffer.from('GIF89a')), undefined);
  t.equal(imageHeader(new Uint8Array()), undefined);
});
