import type { NewCertificates } from '#shared/certificates/certificates.ts'
import type {
  GraduatesToCertify,
  IssuedCertificates,
  PrintedCertificates,
} from '#shared/certificates/certificates-response.ts'
import { defaultOptions, type NewPaper, type PaperStep } from '#shared/papers/papers.ts'
import type { Paper, PaperCheck, PaperRows } from '#shared/papers/papers-response.ts'
import { type Api, createApi } from './api.ts'
import { type Bench, isQuick, seconds } from './bench.ts'
import { latencyText } from './compare.ts'
import { measureExport } from './export-memory.ts'
import { csvOf, timeImport } from './import-time.ts'
import { runLoad } from './load.ts'
import { atMost, type Figure, format } from './report.ts'
import { verifyRequests } from './workload.ts'

const records = isQuick ? 20_000 : 100_000
const enrolled = isQuick ? 2_000 : 10_000
const graduates = enrolled * 0.9
// Of the others, in two terms of the year before: 190,000 enrolments in all.
const others = isQuick ? 10_000 : 85_000
const certified = 500
const academicYear = '2027-2028'

const isEnrolled = `students.id in (select id from students order by id limit ${enrolled})`

// Generated records have numbers now and then, and nobody may share one.
const students = `
  update students set nstp_component = 'CWTS', serial_number = '', restriction = null, student_id = '27-' || reference
  where ${isEnrolled}`

const terms = `
  insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
  select gen_random_uuid(), year || '-' || year + 1, semester, make_date(year, 7 + semester, 3),
    make_date(year, 9 + semester, 3), 'closed', now()
  from generate_series(2026, 2027) year, generate_series(1, 2) semester`

const enrolments = `
  insert into enrolments (id, term_id, student_id, component, level, status_on, entry, mark, outcome)
  select gen_random_uuid(), terms.id, own.id, 'CWTS', semester, starts_on,
    case semester when 1 then 'new' else 'continuing' end, case when is_late then 'INC' else '1.75' end,
    case when is_late then 'incomplete' else 'passed' end
  from (select id, row_number() over (order by id) as place from students limit ${enrolled + others}) own
    join terms on (academic_year = '${academicYear}') = (place <= ${enrolled})
    cross join lateral (select semester = 2 and place > ${graduates} and place <= ${enrolled} as is_late) late`

export async function measurePapers({ product, reference, database, cookie }: Bench): Promise<Figure[]> {
  await database.refill(records)
  for (const statement of [students, terms, enrolments, 'vacuum (analyze)']) await database.run(statement)
  const api = createApi(product.port, cookie)
  await api.proveAgain()
  await fillOffice(api)

  const made = await api.post<Paper>('papers', newPaper)
  const { id } = made.answer
  const check = await api.post<PaperCheck>(`papers/${id}/check`, undefined)
  const { ready, stops, basis, findings } = check.answer
  if (ready !== enrolled || stops > 0) throw new Error(`${ready} are ready, with ${stops} stops`)
  const frozen = await api.post<Paper>(`papers/${id}/freeze`, { basis }, seen(made.answer))
  await api.proveAgain()
  const path = `/api/papers/${id}/file.xlsx`
  const file = await measureExport(product, cookie, path)
  const bare = await measureExport(reference, cookie, path)

  await api.post<Paper>(`papers/${id}/state`, sent, seen(frozen.answer))
  const serials = await timeImport(product.port, cookie, await serialsFile(api, id))
  // A few generated names contradict themselves.
  if (serials.imported < graduates * 0.99) throw new Error(`${serials.imported} got a serial number`)

  await api.proveAgain()
  const { issued, took, codes } = await issue(api)
  const verify = await runLoad({
    port: product.port,
    connections: 8,
    seconds,
    next: verifyRequests(product.port, codes),
  })
  const found = findings.reduce((sum, { total }) => sum + total, 0)
  const rows = `${enrolled.toLocaleString('en')} enrolled and ${graduates.toLocaleString('en')} graduates`
  return [
    {
      what: `CHED workbook of ${rows}, ${records.toLocaleString('en')} records: check, freezing`,
      product: `${format(check.took)} s (${found.toLocaleString('en')} findings), ${format(frozen.took)} s`,
      reference: '',
      aim: [atMost(check.took, 5, ' s'), atMost(frozen.took, 3, ' s')].join('; '),
    },
    {
      what: 'that workbook: time, memory, other requests meanwhile',
      product: `${format(file.seconds)} s, ${memoryText(file)} (file ${format(file.size)} MB), others p99 ${format(file.othersP99)} ms`,
      reference: `${format(bare.seconds)} s, ${memoryText(bare)} (CSV, ${format(bare.size)} MB)`,
      aim: [
        atMost(file.seconds, 5, ' s'),
        ...(file.growth === null ? [] : [atMost(file.growth, 80, ' MB')]),
      ].join('; '),
    },
    {
      what: `file of ${graduates.toLocaleString('en')} serial numbers: upload and match, apply; a page of the list meanwhile`,
      product: `${format(serials.upload + serials.check)} s, ${format(serials.run)} s; p99 ${format(serials.listP99)} ms`,
      reference: '',
      aim: [
        atMost(serials.upload + serials.check, 10, ' s'),
        atMost(serials.run, 8, ' s'),
        atMost(serials.listP99, 120, ' ms'),
      ].join('; '),
    },
    {
      what: `${issued} certificates issued, and read for printing`,
      product: `${format(took)} s`,
      reference: '',
      aim: atMost(took, 5, ' s'),
    },
    {
      what: 'a certificate verified by its code, 8 connections',
      product: latencyText(verify),
      reference: '',
      aim: atMost(verify.p99, 5, ' ms'),
    },
  ]
}

const newPaper: NewPaper = {
  layout: 'ched-workbook',
  title: '',
  academicYear,
  termId: null,
  components: ['CWTS'],
  options: defaultOptions,
  dueOn: null,
  note: '',
}

const sent: PaperStep = { state: 'sent', on: '2026-05-28', how: 'e-mail', reference: '', note: '' }

const seen = ({ version }: Pick<Paper, 'version'>) => ({ 'If-Match': `"${version}"` })

const memoryText = ({ growth }: { growth: number | null }) =>
  growth === null ? 'memory unknown on this system' : `${format(growth)} MB more memory`

/** Without which no paper can be frozen and no certificate issued. */
async function fillOffice(api: Api): Promise<void> {
  const { version, office } = await api.read<{ version: number; office: object }>('settings')
  const change = {
    publicAddress: 'https://nstp.example',
    office: { ...office, heiName: 'Sample College', heiType: 'PRIVATE', region: '03-Central Luzon' },
  }
  await api.call('PATCH', 'settings', change, { 'If-Match': `"${version}"` })
}

/** What CHED would send back: the rows of the paper, with a number each. */
async function serialsFile(api: Api, paperId: string) {
  const rows: string[][] = []
  let heads: string[] = []
  while (rows.length < graduates) {
    const page = `list=graduates&pageSize=200&page=${rows.length / 200 + 1}`
    const answer = await api.read<PaperRows>(`papers/${paperId}/rows?${page}`)
    heads = answer.heads
    rows.push(...answer.items.map(({ cells }) => cells))
  }
  const place = heads.indexOf('NSTP SERIAL NUMBER')
  const numbered = rows.map((cells, index) =>
    cells.with(place, `C-03-${String(100_001 + index)}-${academicYear.slice(-2)}`),
  )
  return { content: csvOf([heads, ...numbered]), query: `&purpose=serials&paper=${paperId}` }
}

/** From the press of the button to all that is on the papers. */
async function issue(api: Api): Promise<{ issued: number; took: number; codes: string[] }> {
  const path = `certificates/graduates?academicYear=${academicYear}`
  const { items } = await api.read<GraduatesToCertify>(path)
  const wanted: NewCertificates = {
    kind: 'completion',
    students: items.slice(0, certified).map(({ id }) => id),
    academicYear,
    issuedOn: '2028-06-01',
    signatories: [{ name: 'Lourdes M. Reyes', title: 'NSTP Director' }],
    withoutSerial: false,
  }
  const given = await api.post<IssuedCertificates>('certificates', wanted)
  const printed = await api.post<PrintedCertificates>('certificates/prints', {
    batchId: given.answer.batchId,
  })
  const codes = printed.answer.items.map(({ code }) => code)
  return { issued: codes.length, took: given.took + printed.took, codes }
}
