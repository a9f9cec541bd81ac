/** What an upload may be (spec §5), and what it is refused with otherwise. */

const mebibyte = 1024 * 1024

/** Largest images, in bytes. */
export const imageLimits = {
  logo: 2 * mebibyte,
  announcement: 5 * mebibyte,
  slide: 5 * mebibyte,
  orgPhoto: 2 * mebibyte,
} as const

/** An attachment has to be smaller than this, in bytes. */
export const attachmentLimit = 10 * mebibyte

/** Beyond this an image isn't decoded: a file of 100 kB can hold a picture of gigabytes. Phones take 9248 by 6936 pixels. */
export const maxImagePixels = 2 ** 26

export const imageMessages = {
  type: 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)',
  tooLarge: (bytes: number) => `Image file is too large. Maximum size is ${bytes / mebibyte}MB.`,
  tooManyPixels: 'This image has too many pixels. Please make it smaller than 8000 by 8000.',
  still: 'Animated GIFs are shown as a still picture.',
  madeSmaller: (from: string, to: string) => `Made smaller: ${from} → ${to}.`,
  makingSmaller: 'Making the picture smaller…',
  wait: 'The picture is still being made smaller. Please wait a moment.',
}

export const attachmentMessages = {
  tooLarge: 'File size must be less than 10MB',
}

/** For the file picker; what a file really is, the server finds out by decoding it. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Whether a declared type may be an image's. A browser that doesn't know the type says nothing; then the server finds out. */
export function mayBeImage(type: string): boolean {
  return type === '' || imageTypes.some((known) => known === type)
}
