import sharp from 'sharp'
import { expect, test } from 'vitest'
import { toPng } from '#server/features/files/image.ts'
import { createMailLogo } from './logo.ts'

/** A logo of these pixels as mails show it. */
async function logoOf(width: number, height: number) {
  const picture = await sharp({ create: { width, height, channels: 3, background: '#0f3d2e' } })
    .webp()
    .toBuffer()
  return await createMailLogo({ readAsPng: (_, heightPx) => toPng(picture, heightPx) })('/api/files/a.webp')
}

test.each([
  ['a round one', [300, 300], [40, 40]],
  ['a wide one', [600, 300], [80, 40]],
  ['a name in one line, which is not stretched', [800, 100], [120, 15]],
  ['a tall one', [100, 400], [10, 40]],
  ['a tiny one', [20, 20], [40, 40]],
] as const)('%s keeps its proportions', async (_, [width, height], [shownWidth, shownHeight]) => {
  expect(await logoOf(width, height)).toMatchObject({ width: shownWidth, height: shownHeight })
})

test('is made once, and is none when the picture is gone', async () => {
  const asked: string[] = []
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const readLogo = createMailLogo({
    readAsPng: async (url) => {
      asked.push(url)
      return url === 'gone' ? null : png
    },
  })
  expect((await readLogo('a'))?.png).toBe(png)
  await readLogo('a')
  expect(await readLogo('gone')).toBeNull()
  expect(asked).toEqual(['a', 'gone'])
})
