import sharp from 'sharp'

export const slideSize = { width: 1600, height: 900 } as const
export const cardSize = { width: 1200, height: 675 } as const

export const ink = {
  pine: '#0f3d2e',
  deep: '#0a2b20',
  leaf: '#2f7d5b',
  mint: '#8ec7a6',
  gold: '#e9b949',
  sand: '#f6e3b8',
  paper: '#faf6ea',
  clay: '#b5653a',
  sky: '#bfe0ea',
  sea: '#3d8fa3',
  night: '#16324a',
} as const

interface Size {
  width: number
  height: number
}

export function scene({ width, height }: Size, body: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body.join('')}</svg>`
}

export function backdrop({ width, height }: Size, top: string, bottom: string): string {
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>`
}

interface Point {
  x: number
  y: number
}

export function sun({ x, y }: Point, radius: number, colour: string): string {
  const rays = Array.from(
    { length: 8 },
    (_, index) => `<path transform="rotate(${index * 45})" d="M-7-42-4-98H4L7-42Z"/>`,
  )
  return `<g transform="translate(${x} ${y}) scale(${radius / 98})" fill="${colour}"><circle r="32"/>${rays.join('')}</g>`
}

export function land(peaks: readonly Point[], { width, height }: Size, colour: string): string {
  const [first, ...rest] = peaks
  if (!first) return ''
  let from = first
  const curves = rest.map((to) => {
    const middle = (from.x + to.x) / 2
    const curve = `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`
    from = to
    return curve
  })
  return `<path fill="${colour}" d="M${first.x} ${first.y}${curves.join('')}L${width} ${height}L0 ${height}Z"/>`
}

interface Figure extends Point {
  tall: number
  colour: string
  hat?: 'cap' | 'salakot'
}

const skin = ['#8d5a3b', '#a9714b', '#74462c']

export function figure({ x, y, tall, colour, hat }: Figure): string {
  const shade = skin[Math.round(x + y) % skin.length] ?? '#8d5a3b'
  const head =
    hat === 'salakot'
      ? '<path d="M-15-84Q0-104 15-84Z" fill="#e4c27a"/>'
      : hat === 'cap'
        ? `<path d="M-8-90A8 8 0 0 1 8-90L12-88H-8Z" fill="${colour}"/>`
        : '<path d="M-8-88A8 9 0 0 1 8-88Q0-95-8-88Z" fill="#2b1d14"/>'
  return `<g transform="translate(${x} ${y}) scale(${tall / 100})"><ellipse cy="1" rx="15" ry="3" fill="#000" opacity=".14"/><path d="M-8 0V-40H8V0H2V-32H-2V0Z" fill="#2c3a34"/><path d="M-12-38Q-14-74 0-76Q14-74 12-38Z" fill="${colour}"/><circle cy="-86" r="8" fill="${shade}"/>${head}</g>`
}

// Uploads are never read as SVG (see features/files/image.ts): the reader is enabled only for our own drawings.
const svgReader = { operation: ['VipsForeignLoadSvgBuffer'] }

/** Renders a drawing as PNG. Call it before the port opens. */
export async function drawPng(svg: string): Promise<Buffer> {
  sharp.unblock(svgReader)
  try {
    return await sharp(Buffer.from(svg)).png().toBuffer()
  } finally {
    sharp.block(svgReader)
  }
}
