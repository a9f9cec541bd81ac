import { backdrop, figure, ink, scene, slideSize } from './scene.ts'

const spines = ['#b5653a', '#2f6db0', '#e9b949', '#2f7d5b', '#7a4800', '#8ec7a6', '#0f3d2e']

/** A reading afternoon between shelves of books. */
export function drawReading(): string {
  return scene(slideSize, [
    backdrop(slideSize, '#f3dfb4', ink.paper),
    shelf(80, 150),
    shelf(80, 360),
    shelf(1080, 150),
    shelf(1080, 360),
    `<rect x="640" y="110" width="320" height="380" rx="14" fill="${ink.sky}"/><circle cx="860" cy="210" r="46" fill="${ink.gold}"/><path d="M640 400Q740 330 820 390T960 370V490H640Z" fill="${ink.mint}"/><path d="M800 110V490M640 300H960" stroke="${ink.paper}" stroke-width="14"/><rect x="640" y="110" width="320" height="380" rx="14" fill="none" stroke="#c8a96a" stroke-width="16"/>`,
    '<rect y="650" width="1600" height="250" fill="#d6b98a"/>',
    `<ellipse cx="800" cy="790" rx="620" ry="90" fill="${ink.leaf}" opacity=".35"/>`,
    ...[
      { x: 330, tall: 250, colour: '#2f6db0' },
      { x: 545, tall: 205, colour: ink.gold },
      { x: 800, tall: 290, colour: ink.pine },
      { x: 1050, tall: 200, colour: ink.clay },
      { x: 1270, tall: 235, colour: '#6d5aa8' },
    ].flatMap(({ x, tall, colour }) => [
      figure({ x, y: 815, tall, colour }),
      openBook(x, 815 - tall * 0.5, tall / 190),
    ]),
  ])
}

/** A board with books of many heights. */
function shelf(x: number, y: number): string {
  const books = Array.from({ length: 15 }, (_, index) => {
    const height = 110 + ((index * 37 + x + y) % 50)
    return `<rect x="${x + 12 + index * 28}" y="${y + 170 - height}" width="23" height="${height}" rx="3" fill="${spines[(index * 3 + y) % spines.length]}"/>`
  })
  return `${books.join('')}<rect x="${x}" y="${y + 170}" width="440" height="16" rx="4" fill="#8a5a2b"/>`
}

function openBook(x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><path d="M0-12Q-22-24-44-14V22Q-22 12 0 24Q22 12 44 22V-14Q22-24 0-12Z" fill="#fff" stroke="#c8a96a" stroke-width="4"/><path d="M0-12V24" stroke="#c8a96a" stroke-width="4"/></g>`
}
