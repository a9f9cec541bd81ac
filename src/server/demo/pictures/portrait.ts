import { scene } from './scene.ts'

const size = { width: 512, height: 512 }

export interface PortraitLook {
  behind: string
  clothes: string
  hair: 'short' | 'long' | 'bun'
}

const fringe =
  '<path d="M164 222C148 84 364 84 348 222C342 192 330 180 306 172C270 192 212 190 196 178C178 190 168 202 164 222Z"/>'

/** What of the hair is behind the head. */
const behindHead: Record<PortraitLook['hair'], string> = {
  short: '',
  long: '<path d="M138 400C112 52 400 52 374 400Q256 420 138 400Z"/>',
  bun: '<circle cx="256" cy="98" r="40"/>',
}

/** A likeness of nobody: a head and shoulders without a face. */
export function drawPortrait({ behind, clothes, hair }: PortraitLook): string {
  return scene(size, [
    `<rect width="512" height="512" fill="${behind}"/><circle cx="256" cy="240" r="220" fill="#fff" opacity=".22"/>`,
    `<g fill="#2a1c14">${behindHead[hair]}</g>`,
    `<path d="M60 512C70 400 160 372 256 372S442 400 452 512Z" fill="${clothes}"/>`,
    '<path d="M218 300H294V392Q256 424 218 392Z" fill="#a86f48"/>',
    '<ellipse cx="256" cy="236" rx="88" ry="104" fill="#bd8358"/>',
    `<g fill="#2a1c14">${fringe}</g>`,
    '<path d="M206 384L256 436L306 384L330 400L256 470L182 400Z" fill="#fff" opacity=".9"/>',
  ])
}
