const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const gibibyte = 1024 * mebibyte

/** 1234567 → '1.2 MB': counted as the limits of uploads are, 1024 to each step. */
export function sizeText(bytes: number): string {
  if (bytes < mebibyte) return `${Math.ceil(bytes / kibibyte)} kB`
  return bytes < gibibyte ? `${(bytes / mebibyte).toFixed(1)} MB` : `${(bytes / gibibyte).toFixed(2)} GB`
}
