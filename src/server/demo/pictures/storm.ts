import { backdrop, cardSize, ink, land, scene } from './scene.ts'

/** A storm over rooftops. */
export function drawStorm(): string {
  const rain = Array.from({ length: 60 }, (_, drop) => {
    const x = (drop * 197) % 1260
    const y = (drop * 113) % 560
    return `<path d="M${x} ${y}l-18 46"/>`
  })
  const houses = [90, 330, 560, 800, 1010].map((x, index) => house(x, 520 + (index % 2) * 22, index))
  return scene(cardSize, [
    backdrop(cardSize, ink.night, '#5e7f91'),
    '<g transform="translate(760 215)" fill="#d7e6ec" opacity=".92"><path d="M-90 0A90 90 0 0 1 60-68Q20-150-110-150Q60-210 140-90A150 150 0 0 1 90 0A90 90 0 0 1-60 68Q-20 150 110 150Q-60 210-140 90A150 150 0 0 1-90 0Z"/><circle r="34" fill="#16324a"/></g>',
    `<g stroke="#bcd6e2" stroke-width="5" stroke-linecap="round" opacity=".7">${rain.join('')}</g>`,
    land(
      [
        { x: 0, y: 560 },
        { x: 400, y: 540 },
        { x: 800, y: 570 },
        { x: 1200, y: 545 },
      ],
      cardSize,
      '#23483b',
    ),
    ...houses,
    `<rect y="640" width="1200" height="35" fill="${ink.deep}"/>`,
  ])
}

function house(x: number, y: number, index: number): string {
  const wall = ['#d9c7a0', '#c98f6a', '#a9c0a4'][index % 3]
  return `<g transform="translate(${x} ${y})"><rect width="130" height="130" fill="${wall}"/><path d="M-18 4L65-62L148 4Z" fill="#6b3a26"/><rect x="20" y="34" width="36" height="36" fill="${ink.gold}"/><rect x="78" y="50" width="34" height="80" fill="#5a3d26"/></g>`
}
