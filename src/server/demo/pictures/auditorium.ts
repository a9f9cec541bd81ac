import { backdrop, cardSize, figure, ink, scene } from './scene.ts'

/** A hall before an orientation. */
export function drawAuditorium(): string {
  const rows = [470, 540, 615].flatMap((y, row) =>
    Array.from({ length: 16 - row * 2 }, (_, place) => {
      const width = cardSize.width / (16 - row * 2)
      return `<rect x="${place * width + width * 0.12}" y="${y}" width="${width * 0.76}" height="${70 + row * 14}" rx="16" fill="${row % 2 === 0 ? '#17573f' : '#1f6b4e'}"/>`
    }),
  )
  return scene(cardSize, [
    backdrop(cardSize, ink.deep, ink.pine),
    `<rect x="150" y="90" width="900" height="320" rx="10" fill="${ink.paper}"/>`,
    `<path d="M150 90Q190 260 150 410H60V60H1140V410H1050Q1010 260 1050 90Z" fill="#8f2f24"/>`,
    `<path d="M360 0L260 410H560Z" fill="${ink.gold}" opacity=".25"/><path d="M840 0L640 410H940Z" fill="${ink.gold}" opacity=".25"/>`,
    '<rect x="60" y="400" width="1080" height="46" fill="#8a5a2b"/>',
    figure({ x: 420, y: 402, tall: 200, colour: ink.gold }),
    `<path d="M470 402V300H540V402Z" fill="#6b431f"/>`,
    figure({ x: 760, y: 402, tall: 190, colour: '#2f6db0' }),
    figure({ x: 850, y: 402, tall: 185, colour: ink.leaf }),
    ...rows,
  ])
}
