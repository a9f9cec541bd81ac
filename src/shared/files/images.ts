// Product 29.1 to 29.3.

const mebibyte = 1024 * 1024

// bytes
export const imageLimits = {
  logo: 2 * mebibyte,
  announcement: 5 * mebibyte,
  slide: 5 * mebibyte,
  orgPhoto: 2 * mebibyte,
} as const

// bytes, exclusive.
export const attachmentLimit = 10 * mebibyte

// Security: a file of 100 kB can expand to gigabytes. Phones take 9248 by 6936 pixels.
export const maxImagePixels = 2 ** 26

export const imageMessages = {
  type: 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)',
  tooLarge: (bytes: number) => `Image file is too large. Maximum size is ${bytes / mebibyte}MB.`,
  tooManyPixels: 'This image has too many pixels. Please make it smaller than 8000 by 8000.',
  still: 'Animated GIFs are shown as still images.',
  madeSmaller: (from: string, to: string) => `Resized: ${from} → ${to}.`,
  makingSmaller: 'Resizing the image…',
  refused: 'Remove the picture or choose another one.',
  wait: 'The image is still being resized. Please wait a moment.',
}

export const attachmentMessages = { tooLarge: 'File size must be less than 10MB' }

export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Browsers leave the type empty when unknown; then the server decides. */
export function mayBeImage(type: string): boolean {
  return type === '' || imageTypes.some((imageType) => imageType === type)
}
