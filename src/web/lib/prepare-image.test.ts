import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { imageLimits } from '#shared/files/images.ts'
import { buildImage } from '#tests/factories/images.ts'
import { isAnimatedGif, prepareImage } from './prepare-image.ts'

const limit = imageLimits.announcement
const still = 'Animated GIFs are shown as still images.'

afterEach(() => vi.unstubAllGlobals())

function file(bytes: Uint8Array, type: string): File {
  return new File([new Uint8Array(bytes)], 'a', { type })
}

async function buildAnimation(options = {}): Promise<Buffer> {
  const frames = await Promise.all(
    ['#17573f', '#ffffff'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  )
  return await sharp(frames, { join: { animated: true } })
    .gif(options)
    .toBuffer()
}

test('an animated GIF is detected by its blocks', async () => {
  const animation = await buildAnimation()
  expect(await isAnimatedGif(new Blob([new Uint8Array(animation)]))).toBe(true)
  for (const bytes of [
    await buildImage('gif', { width: 300, height: 200 }),
    await buildImage('png'),
    animation.subarray(0, 40),
    Buffer.from('GIF89a'),
    Buffer.alloc(0),
  ]) {
    expect(await isAnimatedGif(new Blob([new Uint8Array(bytes)]))).toBe(false)
  }
})

test('what only calls itself an image is refused, whatever its size', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('no picture')))
  expect(await prepareImage(file(Buffer.from('text'), 'image/png'), limit)).toEqual({
    problem: 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)',
  })
})

test('a lossy change is announced before sending', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ close: () => undefined }))
  const animation = file(await buildAnimation({ loop: 0 }), 'image/gif')
  expect(await prepareImage(animation, limit)).toEqual({ image: animation, note: still })
  const picture = file(await buildImage('gif'), 'image/gif')
  expect(await prepareImage(picture, limit)).toEqual({ image: picture, note: '' })
})

test('the type is checked before the size', async () => {
  const large = Buffer.alloc(limit + 1)
  expect(await prepareImage(file(large, 'image/heic'), limit)).toEqual({
    problem: 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)',
  })
})

test('what can’t be resized is refused: animations, and all images without a canvas', async () => {
  const problem = 'Image file is too large. Maximum size is 5MB.'
  const animation = Buffer.concat([await buildAnimation(), Buffer.alloc(limit)])
  expect(await prepareImage(file(animation, 'image/gif'), limit)).toEqual({ problem })
  expect(await prepareImage(file(Buffer.alloc(limit + 1), 'image/png'), limit)).toEqual({ problem })
})
