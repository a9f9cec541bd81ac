import { backdrop, cardSize, figure, ink, land, scene, slideSize, sun } from './scene.ts'

export function drawAuditorium(): string {
  const rows = [470, 540, 615].flatMap((y, row) =>
    Array.from({ length: 16 - row * 2 }, (_, seat) => {
      const width = cardSize.width / (16 - row * 2)
      return `<rect x="${seat * width + width * 0.12}" y="${y}" width="${width * 0.76}" height="${70 + row * 14}" rx="16" fill="${row % 2 === 0 ? '#17573f' : '#1f6b4e'}"/>`
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

export function drawBloodDrive(): string {
  const rings = [300, 240, 180].map(
    (radius, index) =>
      `<circle cx="600" cy="350" r="${radius}" fill="#fff" opacity="${0.18 + index * 0.12}"/>`,
  )
  return scene(cardSize, [
    backdrop(cardSize, '#f6c9bd', '#fbeae2'),
    ...rings,
    '<path d="M600 120C660 230 730 300 730 400A130 130 0 0 1 470 400C470 300 540 230 600 120Z" fill="#b3261e"/>',
    '<path d="M600 470C530 420 520 390 520 368A42 42 0 0 1 600 348A42 42 0 0 1 680 368C680 390 670 420 600 470Z" fill="#fff"/>',
    '<path d="M540 250Q500 320 498 380" stroke="#fff" stroke-width="14" stroke-linecap="round" fill="none" opacity=".55"/>',
    `<path d="M0 600H1200V675H0Z" fill="${ink.pine}"/><path d="M0 600${'l30 30l30-30'.repeat(20)}" fill="${ink.gold}"/>`,
  ])
}

export function drawCertificate(): string {
  const lines = [300, 350, 400].map(
    (y, index) =>
      `<rect x="${380 + index * 20}" y="${y}" width="${440 - index * 40}" height="14" rx="7" fill="#cfc5a6"/>`,
  )
  return scene(cardSize, [
    backdrop(cardSize, '#1d5c45', ink.pine),
    sun({ x: 600, y: 330 }, 620, '#17503b'),
    `<g transform="rotate(-3 600 337)"><rect x="260" y="110" width="680" height="460" rx="12" fill="${ink.paper}"/><rect x="286" y="136" width="628" height="408" rx="6" fill="none" stroke="${ink.gold}" stroke-width="6"/><rect x="440" y="200" width="320" height="26" rx="13" fill="${ink.pine}"/>${lines.join('')}<path d="M600 500l-40 110 50-26 22 46 20-120Z" fill="#8f2f24"/><circle cx="620" cy="480" r="58" fill="${ink.gold}"/>${sun({ x: 620, y: 480 }, 44, ink.paper)}</g>`,
  ])
}

export function drawFormation(): string {
  const { width } = slideSize
  const rows = [
    { y: 640, tall: 105, count: 17 },
    { y: 715, tall: 135, count: 14 },
    { y: 815, tall: 175, count: 11 },
  ]
  return scene(slideSize, [
    backdrop(slideSize, '#f3b45f', ink.sand),
    sun({ x: 1120, y: 430 }, 330, ink.gold),
    land(skyline([450, 330, 470, 380, 500, 410]), slideSize, '#7fa98b'),
    land(skyline([520, 470, 540, 460, 520, 545]), slideSize, ink.leaf),
    land(skyline([575, 565, 580, 570, 575, 580]), slideSize, '#8a9a4a'),
    `<path d="M300 610V150" stroke="${ink.paper}" stroke-width="9"/><path d="M304 156Q380 130 450 160T590 150V240Q520 270 450 245T304 250Z" fill="${ink.pine}"/><circle cx="440" cy="202" r="22" fill="${ink.gold}"/>`,
    ...rows.flatMap(({ y, tall, count }) =>
      Array.from({ length: count }, (_, seat) =>
        figure({ x: (width / count) * (seat + 0.5), y, tall, colour: '#4c5716', hat: 'cap' }),
      ),
    ),
  ])
}

function skyline(heights: readonly number[]) {
  return heights.map((y, index) => ({ x: (slideSize.width / (heights.length - 1)) * index, y }))
}

export function drawMangroves(): string {
  const seedlings = [640, 700, 770, 850].flatMap((y, row) =>
    Array.from({ length: 13 - row }, (_, seat) =>
      seedling((1600 / (13 - row)) * (seat + 0.5), y, 0.6 + row * 0.25),
    ),
  )
  return scene(slideSize, [
    backdrop(slideSize, ink.sky, '#eef7f4'),
    sun({ x: 330, y: 210 }, 150, ink.gold),
    land(points([400, 300, 390, 340, 420]), slideSize, '#8db9a2'),
    `<rect y="415" width="1600" height="485" fill="${ink.sea}"/>`,
    ...[450, 490, 535].map(
      (y, row) =>
        `<path d="M${row * 120} ${y}H${row * 120 + 420}M${row * 90 + 760} ${y + 12}H${row * 90 + 1300}" stroke="#7dbccb" stroke-width="6" stroke-linecap="round"/>`,
    ),
    `<path d="M1180 470l60 34h150l50-34Z" fill="${ink.clay}"/><path d="M1300 466V330l96 128Z" fill="${ink.paper}"/>`,
    land(points([590, 565, 600, 570, 610]), slideSize, '#8f7a5c'),
    ...seedlings,
    figure({ x: 420, y: 720, tall: 190, colour: ink.gold, hat: 'salakot' }),
    figure({ x: 700, y: 775, tall: 225, colour: '#2f6db0', hat: 'salakot' }),
    figure({ x: 1010, y: 735, tall: 200, colour: ink.clay, hat: 'salakot' }),
    figure({ x: 1260, y: 800, tall: 240, colour: ink.leaf, hat: 'salakot' }),
  ])
}

function points(heights: readonly number[]) {
  return heights.map((y, index) => ({ x: (slideSize.width / (heights.length - 1)) * index, y }))
}

function seedling(x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><ellipse cy="2" rx="24" ry="5" fill="#000" opacity=".12"/><path d="M0 0V-40" stroke="#5b4630" stroke-width="5"/><path d="M0-40Q-30-44-26-70Q-4-64 0-40Q4-70 30-72Q30-46 0-40Q-8-74 2-90Q14-70 0-40Z" fill="${ink.leaf}"/></g>`
}

const spines = ['#b5653a', '#2f6db0', '#e9b949', '#2f7d5b', '#7a4800', '#8ec7a6', '#0f3d2e']

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

export function drawRelief(): string {
  return scene(slideSize, [
    backdrop(slideSize, '#a9bcc6', '#e5ebe4'),
    '<g fill="#c7d4da"><ellipse cx="320" cy="170" rx="210" ry="60"/><ellipse cx="470" cy="140" rx="150" ry="62"/><ellipse cx="1200" cy="210" rx="240" ry="62"/></g>',
    land(reliefSkyline([430, 360, 440, 380, 450]), slideSize, '#7f9d8c'),
    land(reliefSkyline([520, 500, 515, 500, 520]), slideSize, ink.leaf),
    '<rect y="640" width="1600" height="260" fill="#6c6f6a"/><path d="M0 770H1600" stroke="#e8e2cc" stroke-width="10" stroke-dasharray="90 70"/>',
    jeepney(),
    ...[
      [250, 700],
      [330, 700],
      [290, 630],
      [180, 715],
    ].map(([x = 0, y = 0]) => parcel(x, y)),
    figure({ x: 430, y: 790, tall: 250, colour: ink.gold }),
    parcel(462, 640),
    figure({ x: 620, y: 800, tall: 255, colour: ink.pine }),
    figure({ x: 120, y: 800, tall: 245, colour: '#2f6db0' }),
  ])
}

function reliefSkyline(heights: readonly number[]) {
  return heights.map((y, index) => ({ x: (slideSize.width / (heights.length - 1)) * index, y }))
}

function parcel(x: number, y: number): string {
  return `<g transform="translate(${x} ${y})"><rect width="76" height="66" rx="5" fill="#c99b62"/><path d="M0 20H76M38 0V66" stroke="#a87b45" stroke-width="7"/></g>`
}

function jeepney(): string {
  const windows = [820, 920, 1020, 1120]
    .map((x) => `<rect x="${x}" y="470" width="84" height="74" rx="8" fill="#dcecf0"/>`)
    .join('')
  const wheels = [890, 1360]
    .map(
      (x) =>
        `<circle cx="${x}" cy="720" r="62" fill="#20262a"/><circle cx="${x}" cy="720" r="28" fill="#d9dde0"/>`,
    )
    .join('')
  return `<path d="M780 440Q780 420 800 420H1230L1300 560H1450Q1500 566 1504 620V710H760V470Z" fill="${ink.clay}"/><rect x="780" y="400" width="470" height="30" rx="12" fill="${ink.gold}"/>${windows}<path d="M1226 470h30l44 84h-74Z" fill="#dcecf0"/><path d="M760 610H1504" stroke="${ink.gold}" stroke-width="22"/><path d="M760 650H1504" stroke="${ink.pine}" stroke-width="14"/><circle cx="1482" cy="602" r="18" fill="${ink.paper}"/>${wheels}`
}

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

const size = { width: 512, height: 512 }

export interface PortraitColours {
  behind: string
  clothes: string
  hair: 'short' | 'long' | 'bun'
}

const fringe =
  '<path d="M164 222C148 84 364 84 348 222C342 192 330 180 306 172C270 192 212 190 196 178C178 190 168 202 164 222Z"/>'

const behindHead: Record<PortraitColours['hair'], string> = {
  short: '',
  long: '<path d="M138 400C112 52 400 52 374 400Q256 420 138 400Z"/>',
  bun: '<circle cx="256" cy="98" r="40"/>',
}

export function drawPortrait({ behind, clothes, hair }: PortraitColours): string {
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
