/** A4 within its margins of 12.7 mm, in pixels of CSS. */
const long = 1026
const short = 697

/** How a drawing is laid on paper: so that it comes out larger. What fits upright is printed upright. */
export function paperOf({ width, height }: { width: number; height: number }): 'wide' | 'tall' {
  const upright = Math.min(1, short / width, long / height)
  const lying = Math.min(1, long / width, short / height)
  return lying > upright ? 'wide' : 'tall'
}
