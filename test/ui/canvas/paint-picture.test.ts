import assert from 'node:assert/strict';
import { PanelPage } from '../support/panel-page.ts';
import { useBrowser } from '../support/use-browser.ts';

const square = (width: number, height: number, more = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ff0000"/>${more}</svg>`;

describe('a picture of pixels that the page makes for its host', () => {
  const running = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await PanelPage.open(running.browser);
  });
  afterEach(() => panel.page.close());

  /** The width and height in a PNG file, and the number that it answers. */
  async function painted(svg: string): Promise<{ number: number; size: [number, number] | undefined }> {
    await panel.send({ type: 'paint', number: 7, svg });
    const { number, png } = await panel.posted('painted');
    if (png === undefined) return { number, size: undefined };
    const bytes = Buffer.from(png, 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    return { number, size: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] };
  }

  it('is twice as sharp as the drawing', async () => {
    assert.deepEqual(await painted(square(300, 100)), { number: 7, size: [600, 200] });
  });

  it('is smaller where a browser could not draw it', async () => {
    const { size: [width, height] = [0, 0] } = await painted(square(500, 100_000));
    assert.deepEqual([width, height], [80, 16_000]);
  });

  it('loads nothing, and says so where there is nothing to draw', async () => {
    const asked: string[] = [];
    panel.page.on('request', (request) => asked.push(request.url()));
    const more = '<image href="https://evil.example/x.png" width="9" height="9"/><script>throw 1</script>';
    assert.deepEqual((await painted(square(10, 10, more))).size, [20, 20]);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith('blob:')),
      [],
    );
    assert.deepEqual(await painted('no drawing'), { number: 7, size: undefined });
  });
});
