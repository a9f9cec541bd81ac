/** What an image upload may be (spec §5), and what it is refused with otherwise. */

const mebibyte = 1024 * 1024

/** Largest files, in bytes. */
export const imageLimits = {
  logo: 2 * mebibyte,
} as const

/** Beyond this an image isn't decoded: a file of 100 kB can hold a picture of gigabytes. */
export const maxImagePixels = 25_000_000

export const imageMessages = {
  type: 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)',
  tooLarge: (bytes: number) => `Image file is too large. Maximum size is ${bytes / mebibyte}MB.`,
  tooManyPixels: 'This image has too many pixels. Please make it smaller than 5000 by 5000.',
}

/** For the file picker; what a file really is, the server finds out by decoding it. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
