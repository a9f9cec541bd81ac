import type { Transaction } from 'kysely'
import sharp from 'sharp'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { createAnnouncementChanges } from '#server/features/announcements/change-service.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createFilesService } from '#server/features/files/service.ts'
import { createOrgChartService } from '#server/features/org-chart/service.ts'
import { createSettingsRepository } from '#server/features/settings/repository.ts'
import { createSlidesService } from '#server/features/slideshow/service.ts'
import { ownActor } from '#server/lib/actor.ts'
import { createFormatting } from '#server/lib/formatting.ts'
import type { AnnouncementCategory } from '#shared/announcements/announcements.ts'
import type { Department } from '#shared/org-chart/org-chart.ts'
import type { DataProtectionContact, OfficeContact } from '#shared/settings/site-texts.ts'

const dayMs = 24 * 60 * 60 * 1000
const actor = ownActor('command line')

// 'example' is reserved (RFC 2606), and the number doesn't exist.
const contact: OfficeContact = {
  office: 'NSTP Office',
  address: 'Ground floor, Student Center',
  email: 'nstp@school.example',
  phone: '(000) 000-0000',
  hours: 'Monday to Friday, 8:00 AM to 5:00 PM',
}
const dataProtection: DataProtectionContact = {
  officer: 'Rowena A. Mercado',
  email: 'dpo@school.example',
  phone: '',
}

/**
 * Fills the published content through the services that the admin screens use, so that pictures, order and audit trail
 * are real.
 * @param tx all of it is written in this transaction
 */
export async function fillContent(tx: Transaction<Tables>, now: Date): Promise<void> {
  let moment = now
  const clock = () => moment
  const database: Pick<AppDatabase, 'db' | 'transact'> = { db: tx, transact: (work) => work(tx) }
  const files = createFilesService({ db: tx, clock })
  // No page is open yet.
  const options = { database, files, clock, audit: createAudit({ clock }), publish: () => undefined }
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)

  moment = ago(90)
  await fillContacts(tx, moment)
  await fillChart(createOrgChartService(options))
  moment = ago(80)
  await fillSlides(createSlidesService(options))
  const format = createFormatting({ ownOrigin: undefined })
  const announcements = createAnnouncementChanges({ ...options, format, canMail: () => false })
  for (const announcement of demoAnnouncements) {
    moment = ago(announcement.daysAgo)
    await addAnnouncement(announcements, announcement, { written: moment, now })
  }
}

async function fillContacts(tx: Transaction<Tables>, at: Date): Promise<void> {
  const settings = createSettingsRepository(tx)
  const { version, changed } = await settings.readForChange()
  await settings.write({ version: version + 1, changed: { ...changed, contact, dataProtection } }, at)
}

async function fillChart(chart: ReturnType<typeof createOrgChartService>): Promise<void> {
  const ids = new Map<string, string>()
  for (const { picture, under, ...position } of demoPositions) {
    const parentId = under === undefined ? null : (ids.get(under) ?? null)
    const photo = picture === undefined ? undefined : await pictureOf(picture)
    const { id } = await chart.add({ ...position, parentId }, photo, actor)
    ids.set(position.title, id)
  }
}

async function fillSlides(slides: ReturnType<typeof createSlidesService>): Promise<void> {
  for (const { picture, ...slide } of demoSlides) await slides.add(slide, await pictureOf(picture), actor)
}

async function addAnnouncement(
  announcements: ReturnType<typeof createAnnouncementChanges>,
  { title, content, category, pinned = false, draft = false, ...more }: DemoAnnouncement,
  { written, now }: { written: Date; now: Date },
): Promise<void> {
  const { publishInDays, expireAfterDays, picture, attachment } = more
  const after = (from: Date, days: number | undefined) =>
    days === undefined ? null : new Date(from.getTime() + days * dayMs)
  const times = { publishAt: after(now, publishInDays), expireAt: after(written, expireAfterDays) }
  const uploads = {
    image: picture === undefined ? undefined : await pictureOf(picture),
    attachment: attachment && { ...attachment, bytes: readFile(attachment.fileName) },
  }
  await announcements.add({ title, content, category, pinned, draft, ...times }, uploads, actor)
}

// Bundled, so that a built product needs no source folder.
const files: Record<string, string> = import.meta.glob('./files/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

function readFile(name: string): Buffer {
  const text = files[`./files/${name}`]
  if (text === undefined) throw new Error(`The demo has no file ${name}.`)
  return Buffer.from(text)
}

// Uploads are never read as SVG (see features/files/image.ts): the reader is enabled only for our own drawings.
const svgReader = { operation: ['VipsForeignLoadSvgBuffer'] }

/** A drawing as PNG. Call it before the port opens. */
async function pictureOf(name: string) {
  sharp.unblock(svgReader)
  try {
    const bytes = await sharp(readFile(`${name}.svg`))
      .png()
      .toBuffer()
    return { bytes, fileName: 'drawing.png', mediaType: 'image/png' }
  } finally {
    sharp.block(svgReader)
  }
}

interface DemoAnnouncement {
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
  picture?: string
  attachment?: { fileName: string; mediaType: string }
}

const demoAnnouncements: readonly DemoAnnouncement[] = [
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
    picture: 'certificate',
  },
  {
    title: 'Tutors wanted for Saturday reading',
    content:
      'LTS students start tutoring at the partner elementary school this Saturday.\n\nEach tutor reads with two children for an hour. Please read the lesson plan before you come, and be there **15 minutes early**.',
    category: 'LTS',
    daysAgo: 41,
    picture: 'reading',
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
    picture: 'blood-drive',
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
    picture: 'storm',
  },
  {
    title: 'Mangrove planting and coastal clean-up',
    content:
      'Together with the barangay we plant mangroves along the coast and clean the beach.\n\nMeet at the main gate. Boats leave with the tide, so please be on time. The list of what to bring is attached.',
    category: 'CWTS',
    daysAgo: 8,
    picture: 'mangroves',
    attachment: { fileName: 'what-to-bring.txt', mediaType: 'text/plain' },
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
    picture: 'auditorium',
    attachment: { fileName: 'orientation-schedule.pdf', mediaType: 'application/pdf' },
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

const demoSlides = [
  {
    title: 'Discipline at sunrise',
    description: 'ROTC cadets in formation before the first training day.',
    active: true,
    picture: 'formation',
  },
  {
    title: 'A coast that grows back',
    description: 'CWTS students plant mangroves with the barangay.',
    active: true,
    picture: 'mangroves',
  },
  {
    title: 'One book, two readers',
    description: 'LTS tutors read with children every Saturday.',
    active: true,
    picture: 'reading',
  },
  {
    title: 'Relief on the road',
    description: 'Goods for families after the storm. Shown again when the next drive begins.',
    active: false,
    picture: 'relief',
  },
]

// A position follows the one that it is under.
const demoPositions: readonly {
  name: string
  title: string
  department: Department
  under?: string
  picture?: string
}[] = [
  {
    name: 'Dr. Amelia R. Santos',
    title: 'School President',
    department: 'Administration',
    picture: 'amelia-santos',
  },
  {
    name: 'Prof. Ricardo L. Villanueva',
    title: 'Vice President for Academic Affairs',
    department: 'Administration',
    under: 'School President',
    picture: 'ricardo-villanueva',
  },
  {
    name: 'Marisol D. Aquino',
    title: 'NSTP Coordinator',
    department: 'Administration',
    under: 'Vice President for Academic Affairs',
    picture: 'marisol-aquino',
  },
  {
    name: 'Maj. Benjamin C. Ocampo (Res.)',
    title: 'ROTC Commandant',
    department: 'Faculty',
    under: 'NSTP Coordinator',
    picture: 'benjamin-ocampo',
  },
  { name: 'Sgt. Dennis P. Magno', title: 'Training NCO', department: 'Staff', under: 'ROTC Commandant' },
  { name: 'Carlo J. Reyes', title: 'ROTC Instructor', department: 'Faculty', under: 'ROTC Commandant' },
  { name: 'Hazel M. Dizon', title: 'Medical Officer', department: 'Staff', under: 'ROTC Commandant' },
  {
    name: 'Liza B. Fernandez',
    title: 'CWTS Head',
    department: 'Faculty',
    under: 'NSTP Coordinator',
    picture: 'liza-fernandez',
  },
  { name: 'Paolo G. Navarro', title: 'Community Projects', department: 'Faculty', under: 'CWTS Head' },
  { name: 'Joy Ann T. Castillo', title: 'CWTS Instructor', department: 'Faculty', under: 'CWTS Head' },
  {
    name: 'Teresita V. Lim',
    title: 'LTS Head',
    department: 'Faculty',
    under: 'NSTP Coordinator',
    picture: 'teresita-lim',
  },
  { name: 'Mark Anthony S. Cruz', title: 'Reading Program', department: 'Faculty', under: 'LTS Head' },
  { name: 'Grace N. Pascual', title: 'Records Officer', department: 'Staff', under: 'NSTP Coordinator' },
  { name: 'Jomar E. Tan', title: 'Records Assistant', department: 'Staff', under: 'Records Officer' },
  {
    name: 'Engr. Nestor F. Bautista',
    title: 'Vice President for Administration',
    department: 'Administration',
    under: 'School President',
  },
  {
    name: 'Rowena A. Mercado',
    title: 'Data Protection Officer',
    department: 'Administration',
    under: 'Vice President for Administration',
  },
]
