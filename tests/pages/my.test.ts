import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { configureUnlimitedMail } from '#tests/setup/mailing-product.ts'
import { openPlainBrowser, type PlainBrowser, type PlainPage } from '#tests/setup/plain-browser.ts'
import { answerOf, shownText } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const term = "'0198f4b2-0000-7000-8000-00000000c001'"
const section = "'0198f4b2-0000-7000-8000-00000000c002'"
const birth = { birthMonth: '5', birthDay: '14', birthYear: '2007' }

let product: Product
let sink: MailSink
let call: ReturnType<typeof createAdminClient>['call']

beforeAll(async () => {
  sink = await startMailSink()
  const env = { RATE_LIMITS: 'off', PUBLIC_URL: 'http://nstp.school.example', ALLOW_HTTP: 'on' }
  product = await startProduct(env)
  call = createAdminClient(product, await configureUnlimitedMail(product.url, sink.account)).call
  for (const statement of [
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now())`,
    `insert into sections (id, term_id, component, level, unit, name, capacity, adviser, meets, position)
      values (${section}, ${term}, 'CWTS', 1, 'Alpha', '1', 40, 'Maria Reyes', 'Saturday 8:00, Gym', 0)`,
  ]) {
    await queryDatabase(product.dataDir, statement)
  }
})
afterAll(async () => {
  await product.remove()
  await sink.close()
})
beforeEach(() => sink.reset())

/** Enlists a student and places them. @returns the reference code and the e-mail address */
async function place(email: string, isPlaced = true): Promise<{ id: string; reference: string }> {
  const answer = await call('POST', '/registrations', buildRegistration({ email, nstpComponent: 'CWTS' }))
  const { id, reference }: { id: string; reference: string } = await answer.json()
  if (isPlaced) {
    await queryDatabase(
      product.dataDir,
      `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
        values (gen_random_uuid(), ${term}, '${id}', 'CWTS', 1, ${section}, '2026-08-03', 'new')`,
    )
  }
  await vi.waitFor(() => expect(sink.messages).toHaveLength(1), 20_000)
  sink.reset()
  return { id, reference }
}

async function mailedDigits(): Promise<string> {
  await vi.waitFor(() => expect(sink.messages).toHaveLength(1), 20_000)
  return (
    /\b(\d{3}) (\d{3})\b/
      .exec(sink.messages[0]?.raw ?? '')
      ?.slice(1)
      .join('') ?? ''
  )
}

async function slipOf(id: string): Promise<string> {
  const answer = await call('POST', '/students/slips', { ids: [id] })
  const { items }: { items: { code: string }[] } = await answer.json()
  return items[0]?.code ?? ''
}

function openIn(language: string): PlainBrowser {
  return openPlainBrowser(product.url, { 'Accept-Language': language })
}

/** As after a press on each of its summaries. */
function unfold(page: PlainPage): PlainPage {
  for (const details of page.document.querySelectorAll('details')) details.setAttribute('open', '')
  return page
}

const expectUncached = ({ headers }: PlainPage) => expect(headers.get('Cache-Control')).toContain('no-store')

describe('without scripts', () => {
  test('a student enters by a mailed code, reads the section, asks for a correction and leaves', async () => {
    const { reference } = await place('jun@student.example')
    const { open, press, follow } = openIn('en-PH')
    const entry = await open('/my')
    expectUncached(entry)
    expect(entry.document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex')
    const known = await press(entry, 'Continue', { reference: reference.toLowerCase(), ...birth })
    expect(known.address).toBe('/my')
    expect(shownText(known)).toContain('You are placed in a section.')
    for (const hidden of ['Alpha', 'Maria Reyes', 'jun@student.example']) {
      expect(known.html).not.toContain(hidden)
    }
    const asked = await press(known, 'Mail me a code')
    const wrong = await press(asked, 'Open my page', { code: '000000' })
    expect(wrong.status).toBe(422)
    expect(shownText(wrong)).toContain('This code is wrong, or it is no longer valid.')
    const page = await press(wrong, 'Open my page', { code: await mailedDigits() })
    expectUncached(page)
    expect(shownText(page)).toContain('Alpha, 1')
    expect(shownText(page)).toContain('Saturday 8:00, Gym')

    const form = await follow(page, 'Ask for a change')
    // As the record says: the test's browser takes the second option where a later one is chosen.
    const said = { dateOfBirthMonth: '5', bloodType: 'O+' }
    const nothing = await press(unfold(form), 'Ask for the correction', said)
    expect(nothing.status).toBe(422)
    expect(shownText(nothing)).toContain('Please enter at least one value that is to change.')
    const refused = await press(unfold(nothing), 'Ask for the correction', {
      ...said,
      contactNumber: 'none',
      reason: 'New number',
    })
    expect(shownText(refused)).toContain('Please enter a valid contact number.')
    const marked = refused.document.querySelector('[role="alert"] a')
    expect(marked?.textContent).toBe('Please check the marked answers.')
    expect(marked?.getAttribute('href')).toBe('#contactNumber')
    expect(refused.document.querySelector('#contactNumber')?.closest('details')?.open).toBe(true)
    expect([answerOf(refused, 'contactNumber'), answerOf(refused, 'reason')]).toEqual(['none', 'New number'])
    const sent = await press(unfold(refused), 'Ask for the correction', {
      ...said,
      contactNumber: '0918 555 0100',
    })
    expect(sent.address).toBe('/my')
    expect(shownText(sent)).toContain('Contact Number: 0917 123 4567 → 0918 555 0100')

    const record = await follow(sent, 'Open my record')
    expectUncached(record)
    expect(shownText(record)).toContain('0917 123 4567')
    const withdrawn = await press(await follow(record, 'Back to My NSTP'), 'Withdraw')
    expect(shownText(withdrawn)).toContain('Withdrawn')
    const kept = await open('/my/request')
    const left = await press(withdrawn, 'Leave')
    expect(shownText(left)).toContain('Your reference code')
    const late = await press(unfold(kept), 'Ask for a copy')
    expect(late.address).toBe('/my?ended')
    expect(shownText(late)).toContain('Please enter again. Nothing was sent.')
    for (const path of ['/my/record', '/my/request']) expect((await open(path)).address).toBe('/my')
  })

  test('in Filipino, by a slip', async () => {
    const { id, reference } = await place('ana@student.example')
    const { open, press, follow } = openIn('fil-PH')
    const entry = await open('/my')
    expect(shownText(entry)).toContain('Aking NSTP')
    const wrong = await press(unfold(entry), 'Buksan ang aking pahina', { reference, code: 'ABCD' })
    expect(shownText(wrong)).toContain('Pakilagay ang 12 letra at numero sa iyong slip.')
    const page = await press(wrong, 'Buksan ang aking pahina', { reference, code: await slipOf(id) })
    expect(shownText(page)).toContain('Nasaan ako')
    expect(shownText(page)).toContain('Unang semestre 2026-2027')
    const record = await follow(page, 'Buksan ang aking tala')
    expect(shownText(record)).toContain('Petsa ng kapanganakan')
  })

  test('an id that is no id reaches no other route', async () => {
    const { id, reference } = await place('eva@student.example', false)
    const { open, press } = openIn('en-PH')
    const entry = unfold(await open('/my'))
    const page = await press(entry, 'Open my page', { reference, code: await slipOf(id) })
    const post = (typed: Record<string, string>) => {
      const form = page.document.querySelector('form')
      const [field] = form?.querySelectorAll('input') ?? []
      if (!form || !field) throw new Error('the page has no form')
      const inputs = Object.entries(typed).map(([name, value]) => {
        const input = page.document.createElement('input')
        input.setAttribute('type', 'hidden')
        input.setAttribute('name', name)
        input.setAttribute('value', value)
        return input
      })
      field.replaceWith(...inputs)
      return press(page, 'Leave')
    }
    const refused = await post({ intent: 'withdraw', id: '../../my/code?x=' })
    expect(refused.status).toBe(404)
    expect((await open(`/announcements/${encodeURIComponent('../registration')}`)).status).toBe(404)
  })

  test('a wrong birth date keeps what was typed, and says no more than an unknown code', async () => {
    const { reference } = await place('leo@student.example', false)
    const { open, press } = openIn('en-PH')
    const typed = { reference, ...birth, birthYear: '2006' }
    const wrong = await press(await open('/my'), 'Continue', typed)
    const unknown = await press(await open('/my'), 'Continue', { ...typed, reference: 'NSTP-2222-2222' })
    const sentence = 'We found no record with this reference code and birth date. Please check both.'
    for (const page of [wrong, unknown]) {
      expect(page.status).toBe(422)
      expect(shownText(page)).toContain(sentence)
    }
    expect([answerOf(wrong, 'reference'), answerOf(wrong, 'birthYear')]).toEqual([reference, '2006'])
    const empty = await press(await open('/my'), 'Continue')
    expect(shownText(empty)).toContain('Please enter your birth date.')
    const never = await press(await open('/my'), 'Continue', { ...typed, birthMonth: '2', birthDay: '31' })
    expect(shownText(never)).toContain('a year of four digits')
  })

  test('a student reads the attendance in both languages, and asks to be excused', async () => {
    const { id, reference } = await place('lia@student.example')
    const [missed, next] = [
      "'0198f4b2-0000-7000-8000-00000000c003'",
      "'0198f4b2-0000-7000-8000-00000000c004'",
    ]
    for (const statement of [
      `insert into training_days (id, term_id, component, level, section_ids, held_on, title, starts_at, hours, state)
        values (${missed}, ${term}, 'CWTS', 1, array[${section}::uuid], current_date - 9, 'Orientation', '07:30', 4, 'closed'),
          (${next}, ${term}, 'CWTS', 1, array[${section}::uuid], current_date + 9, 'First aid', '13:00', 4, 'planned'),
          (gen_random_uuid(), ${term}, 'CWTS', 1, array[${section}::uuid], current_date + 5, 'Drill', '', 4, 'cancelled')`,
      `insert into attendance (day_id, student_id, state, source, at) values (${missed}, '${id}', 'absent', 'closing', now())`,
      `insert into attendance_rules (term_id, component, absences, hours) values (${term}, 'CWTS', 3, 54)`,
    ]) {
      await queryDatabase(product.dataDir, statement)
    }
    const { open, press, follow } = openIn('en-PH')
    const page = await press(unfold(await open('/my')), 'Open my page', {
      ...{ reference, code: await slipOf(id) },
    })
    const text = shownText(unfold(page))
    expect(text).toMatch(/Drill Cancelled.*1:00\sPM · First aidPresent: 0 · Late: 0 · Absent: 1 · Excused: 0/)
    expect(text).toMatch(/7:30\sAM · OrientationAbsentYou may miss 1 more day\./)
    const refused = await press(await follow(page, 'Ask to be excused'), 'Ask to be excused', {
      ...{ dayId: '', ground: '', reason: 'A wedding in Baguio' },
    })
    expect(refused.status).toBe(422)
    expect(shownText(refused)).toContain('Please choose a ground.')
    expect(refused.document.querySelector('[role="alert"] a')?.getAttribute('href')).toBe('#dayId')
    expect(refused.document.querySelector('#absence-reason')?.textContent).toBe('A wedding in Baguio')
    const typed = { dayId: next.replaceAll("'", ''), ground: 'family' }
    const sent = await press(refused, 'Ask to be excused', typed)
    expect(sent.address).toBe('/my')
    expect(shownText(sent)).toMatch(/1:00\sPM · First aid: FamilyA wedding in Baguio/)
    const form = await follow(sent, 'Ask to be excused')
    expect(shownText(form)).toContain('Orientation')
    expect(shownText(form)).not.toContain('First aid')

    const filipino = openIn('fil-PH')
    const entry = unfold(await filipino.open('/my'))
    const own = await filipino.press(entry, 'Buksan ang aking pahina', { reference, code: await slipOf(id) })
    expect(shownText(own)).toContain('Kinansela')
    expect(shownText(own)).toContain('Maaari ka pang lumiban ng 1 araw.')
    expect(shownText(own)).toContain('Pagliban na may pahintulot')
    expect(shownText(own)).not.toContain('Wala pang nakaplanong susunod na araw.')
    await queryDatabase(product.dataDir, `update training_days set state = 'cancelled' where id = ${next}`)
    const last = shownText(await filipino.open('/my'))
    expect(last).toMatch(/First aid KinanselaWala pang nakaplanong susunod na araw\./)
  })

  test('a lost code is mailed, and the page says the same where there is none', async () => {
    const { reference } = await place('mia@student.example', false)
    const { lastName = '', firstName = '' } = buildRegistration()
    const { open, press } = openIn('en-PH')
    const sentence = 'If a record fits what you typed, its reference code is on the way'
    const person = { lastName, firstName, ...birth }
    const none = await press(await open('/my/lost-code'), 'Mail me my code', {
      ...person,
      email: 'nobody@student.example',
    })
    expect(shownText(none)).toContain(sentence)
    const sent = await press(await open('/my/lost-code'), 'Mail me my code', {
      ...person,
      email: 'mia@student.example',
    })
    expect(shownText(sent)).toContain(sentence)
    await vi.waitFor(() => expect(sink.messages).toHaveLength(1), 20_000)
    expect(sink.messages[0]?.raw).toContain(reference)
  })
})
