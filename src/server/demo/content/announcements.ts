import {
  drawAuditorium,
  drawBloodDrive,
  drawCertificate,
  drawMangroves,
  drawReading,
  drawStorm,
} from '#server/demo/pictures/scenes.ts'
import type { AnnouncementCategory } from '#shared/announcements/announcements.ts'

/** A PDF file with text on one A4 sheet. Latin letters only. */
export function textPdf(title: string, lines: readonly string[]): Buffer {
  const text = [
    'BT /F2 18 Tf 64 770 Td',
    `(${escaped(title)}) Tj`,
    '/F1 12 Tf 0 -34 Td 18 TL',
    ...lines.map((line) => `(${escaped(line)}) Tj T*`),
    'ET',
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(text, 'latin1')} >>\nstream\n${text}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  // One byte a character, as the offsets count them.
  return Buffer.from(file, 'latin1')
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, (sign) => `\\${sign}`)
}

export interface DemoAnnouncement {
  title: string
  content: string
  category: AnnouncementCategory
  daysAgo: number
  pinned?: boolean
  draft?: boolean
  // After the day of the demo; without one it was public at once.
  publishInDays?: number
  // After the day it was written; without one it never expires.
  expireAfterDays?: number
  draw?: () => string
  attachment?: { fileName: string; mediaType: string; bytes: Buffer }
}

const schedule = textPdf('NSTP orientation: what to bring, where to go', [
  '8:00   Registration at the gate: show your reference code or your school ID.',
  '8:30   Flag ceremony.',
  '9:00   The three components: ROTC, CWTS and LTS.',
  '10:30  Break.',
  '11:00  Meet your platoon or your community group.',
  '12:00  End of the program.',
  '',
  'Bring: school ID, drinking water, a pen, and a hat or an umbrella.',
])

const packingList = [
  'What to bring to the coastal clean-up',
  '',
  '- closed shoes and long trousers that may get wet',
  '- a hat, sunscreen and a refillable bottle of water',
  '- gloves, if you have your own',
  '- your school ID',
  '',
].join('\n')

export const demoAnnouncements: readonly DemoAnnouncement[] = [
  {
    title: 'Enlistment week at the covered court',
    content:
      'The office helps with enlistment at the covered court all week.\n\nBring your school ID. Phones and a printer are there for those who need them.',
    category: 'Event',
    daysAgo: 75,
    expireAfterDays: 10,
  },
  {
    title: 'Serial numbers of last year’s graduates have arrived',
    content:
      'The serial numbers of last year’s graduates have come back from the government offices.\n\nYou may **claim your certificate** at the NSTP office:\n\n- CWTS and LTS: mornings\n- ROTC: afternoons\n\nBring your school ID. Somebody else may claim it for you with a signed letter and a copy of your ID.',
    category: 'General',
    daysAgo: 58,
    draw: drawCertificate,
  },
  {
    title: 'Tutors wanted for Saturday reading',
    content:
      'LTS students start tutoring at the partner elementary school this Saturday.\n\nEach tutor reads with two children for an hour. Please read the lesson plan before you come, and be there **15 minutes early**.',
    category: 'LTS',
    daysAgo: 41,
    draw: drawReading,
  },
  {
    title: 'ROTC: issue of uniforms',
    content:
      'Cadets receive their training uniforms by platoon:\n\n1. Alpha: Monday\n2. Bravo: Tuesday\n3. Charlie: Wednesday\n\nTry them on at once. Exchanges are possible until Friday.',
    category: 'ROTC',
    daysAgo: 33,
  },
  {
    title: 'Blood donation drive',
    content:
      'The school clinic and the NSTP office hold a blood donation drive in the multi-purpose hall.\n\nDonors should be 18 or older, have slept well and eaten. *Sixteen- and seventeen-year-olds may help at the registration table.*\n\nDonating is voluntary and is never a requirement for passing.',
    category: 'Event',
    daysAgo: 24,
    draw: drawBloodDrive,
  },
  {
    title: 'CWTS: groups and communities for this semester',
    content:
      'The list of groups and their partner communities is posted outside the NSTP office.\n\nYour group leader calls you before the first visit. Until then:\n\n- keep your Saturdays free\n- tell the office if your number has changed',
    category: 'CWTS',
    daysAgo: 17,
  },
  {
    title: 'No training during a tropical cyclone warning',
    content:
      'When classes are suspended because of a tropical cyclone, so is training. Nobody is marked absent.\n\nThe office posts here when training goes on. **Please don’t travel to school to ask.**',
    category: 'Important',
    daysAgo: 12,
    draw: drawStorm,
  },
  {
    title: 'Mangrove planting and coastal clean-up',
    content:
      'Together with the barangay we plant mangroves along the coast and clean the beach.\n\nMeet at the main gate. Boats leave with the tide, so please be on time. The list of what to bring is attached.',
    category: 'CWTS',
    daysAgo: 8,
    draw: drawMangroves,
    attachment: {
      fileName: 'what-to-bring.txt',
      mediaType: 'text/plain',
      bytes: Buffer.from(packingList),
    },
  },
  {
    title: 'Correct your record before the list is sent',
    content:
      'The list of this year’s students goes to the government offices soon. Names are printed on certificates as they stand in it.\n\nIs your name misspelled, or your birth date wrong? Tell the office **with your reference code**. Your right to have mistakes corrected is explained by the [National Privacy Commission](https://privacy.gov.ph).',
    category: 'General',
    daysAgo: 5,
  },
  {
    title: 'Orientation of all components',
    content:
      'The orientation is for everybody who enlisted: ROTC, CWTS and LTS.\n\n- **Where:** school auditorium\n- **When:** 8:00 in the morning\n\nThe schedule is attached. Parents and guardians are welcome.',
    category: 'Important',
    daysAgo: 2,
    pinned: true,
    draw: drawAuditorium,
    attachment: {
      fileName: 'orientation-schedule.pdf',
      mediaType: 'application/pdf',
      bytes: schedule,
    },
  },
  {
    title: 'ROTC: first field training day',
    content:
      'Assembly at the parade ground at 6:00 in the morning, in full uniform.\n\nBring water for the whole day. Cadets with a medical certificate report to the clinic’s tent.',
    category: 'ROTC',
    daysAgo: 1,
    publishInDays: 3,
  },
  {
    title: 'Grades of the first term',
    content: 'Draft: wait for the registrar before posting the dates.',
    category: 'General',
    daysAgo: 1,
    draft: true,
  },
]
