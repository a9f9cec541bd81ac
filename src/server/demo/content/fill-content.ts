import type { Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { drawPng } from '#server/demo/pictures/scene.ts'
import {
  drawFormation,
  drawMangroves,
  drawPortrait,
  drawReading,
  drawRelief,
  type PortraitColours,
} from '#server/demo/pictures/scenes.ts'
import { createAnnouncementChanges } from '#server/features/announcements/change-service.ts'
import { createAudit } from '#server/features/audit/recorder.ts'
import { createFilesService } from '#server/features/files/service.ts'
import { createOrgChartService } from '#server/features/org-chart/service.ts'
import { createSettingsRepository } from '#server/features/settings/repository.ts'
import { createSlidesService } from '#server/features/slideshow/service.ts'
import { ownActor } from '#server/lib/actor.ts'
import { createFormatting } from '#server/lib/formatting.ts'
import type { Department } from '#shared/org-chart/org-chart.ts'
import type { DataProtectionContact, OfficeContact } from '#shared/settings/site-texts.ts'
import { type DemoAnnouncement, demoAnnouncements } from './announcements.ts'

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
  async function add(position: DemoPosition, parentId: string | null): Promise<void> {
    const { name, title, department, portrait, under = [] } = position
    const photo = portrait && (await uploadOf(drawPortrait(portrait)))
    const { id } = await chart.add({ name, title, department, parentId }, photo, actor)
    for (const each of under) await add(each, id)
  }
  await add(demoPositions, null)
}

async function fillSlides(slides: ReturnType<typeof createSlidesService>): Promise<void> {
  for (const { draw, ...slide } of demoSlides) await slides.add(slide, await uploadOf(draw()), actor)
}

async function addAnnouncement(
  announcements: ReturnType<typeof createAnnouncementChanges>,
  { title, content, category, pinned = false, draft = false, ...more }: DemoAnnouncement,
  { written, now }: { written: Date; now: Date },
): Promise<void> {
  const { publishInDays, expireAfterDays, draw, attachment } = more
  const after = (from: Date, days: number | undefined) =>
    days === undefined ? null : new Date(from.getTime() + days * dayMs)
  const times = { publishAt: after(now, publishInDays), expireAt: after(written, expireAfterDays) }
  const uploads = { image: draw && (await uploadOf(draw())), attachment }
  await announcements.add({ title, content, category, pinned, draft, ...times }, uploads, actor)
}

async function uploadOf(svg: string) {
  return { bytes: await drawPng(svg), fileName: 'drawing.png', mediaType: 'image/png' }
}

interface DemoSlide {
  title: string
  description: string
  active: boolean
  draw: () => string
}

const demoSlides: readonly DemoSlide[] = [
  {
    title: 'Discipline at sunrise',
    description: 'ROTC cadets in formation before the first training day.',
    active: true,
    draw: drawFormation,
  },
  {
    title: 'A coast that grows back',
    description: 'CWTS students plant mangroves with the barangay.',
    active: true,
    draw: drawMangroves,
  },
  {
    title: 'One book, two readers',
    description: 'LTS tutors read with children every Saturday.',
    active: true,
    draw: drawReading,
  },
  {
    title: 'Relief on the road',
    description: 'Goods for families after the storm. Shown again when the next drive begins.',
    active: false,
    draw: drawRelief,
  },
]

interface DemoPosition {
  name: string
  title: string
  department: Department
  portrait?: PortraitColours
  under?: readonly DemoPosition[]
}

const demoPositions: DemoPosition = {
  name: 'Dr. Amelia R. Santos',
  title: 'School President',
  department: 'Administration',
  portrait: { behind: '#2f7d5b', clothes: '#0f3d2e', hair: 'bun' },
  under: [
    {
      name: 'Prof. Ricardo L. Villanueva',
      title: 'Vice President for Academic Affairs',
      department: 'Administration',
      portrait: { behind: '#8ec7a6', clothes: '#1d4f8f', hair: 'short' },
      under: [
        {
          name: 'Marisol D. Aquino',
          title: 'NSTP Coordinator',
          department: 'Administration',
          portrait: { behind: '#e9b949', clothes: '#17573f', hair: 'long' },
          under: [
            {
              name: 'Maj. Benjamin C. Ocampo (Res.)',
              title: 'ROTC Commandant',
              department: 'Faculty',
              portrait: { behind: '#b9c27d', clothes: '#4c5716', hair: 'short' },
              under: [
                { name: 'Sgt. Dennis P. Magno', title: 'Training NCO', department: 'Staff' },
                { name: 'Carlo J. Reyes', title: 'ROTC Instructor', department: 'Faculty' },
                { name: 'Hazel M. Dizon', title: 'Medical Officer', department: 'Staff' },
              ],
            },
            {
              name: 'Liza B. Fernandez',
              title: 'CWTS Head',
              department: 'Faculty',
              portrait: { behind: '#bfe0ea', clothes: '#1d4f8f', hair: 'long' },
              under: [
                { name: 'Paolo G. Navarro', title: 'Community Projects', department: 'Faculty' },
                { name: 'Joy Ann T. Castillo', title: 'CWTS Instructor', department: 'Faculty' },
              ],
            },
            {
              name: 'Teresita V. Lim',
              title: 'LTS Head',
              department: 'Faculty',
              portrait: { behind: '#f6e3b8', clothes: '#7a4800', hair: 'bun' },
              under: [{ name: 'Mark Anthony S. Cruz', title: 'Reading Program', department: 'Faculty' }],
            },
            {
              name: 'Grace N. Pascual',
              title: 'Records Officer',
              department: 'Staff',
              under: [{ name: 'Jomar E. Tan', title: 'Records Assistant', department: 'Staff' }],
            },
          ],
        },
      ],
    },
    {
      name: 'Engr. Nestor F. Bautista',
      title: 'Vice President for Administration',
      department: 'Administration',
      under: [{ name: 'Rowena A. Mercado', title: 'Data Protection Officer', department: 'Administration' }],
    },
  ],
}
