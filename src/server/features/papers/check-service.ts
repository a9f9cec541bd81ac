import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { setUndoably } from '#server/features/students/bulk-change-service.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { createPause } from '#server/lib/scheduler.ts'
import { type CheckContext, ruleCodes } from '#shared/papers/check-rules.ts'
import { checkPeople, type FoundPerson, type RuleFinding } from '#shared/papers/checks.ts'
import { heiNameOf, officialProgram } from '#shared/papers/office.ts'
import { type PaperAnswers, type PaperFixes, type PaperList, paperMessages } from '#shared/papers/papers.ts'
import type { Finding, PaperCheck } from '#shared/papers/papers-response.ts'
import { createPlaces, type Places } from '#shared/papers/places.ts'
import type { FieldFix } from '#shared/papers/text-rules.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { studentName } from '#shared/students/student-name.ts'
import { createChecksRepository } from './check-repository.ts'
import { type PaperContent, previewOf, readContent } from './content.ts'
import type { Layout, ValueName } from './layouts/layout.ts'
import { type AnswerRow, createPapersRepository, type PaperRow } from './repository.ts'
import { textFieldsOf } from './values.ts'

export interface CheckNeeds {
  settings: () => Settings
  /** Loads the towns of the whole country. */
  loadTowns: () => Promise<Iterable<{ municipality: string; province: string }>>
}

const mostShown = 200

/** What is wrong in a draft, what the office says of it, and the corrections of records that a rule proposes. */
export function createChecks(
  context: ChangeContext & Pick<AppContext, 'timeZone'>,
  { settings, loadTowns }: CheckNeeds,
) {
  const { database, clock, audit, timeZone } = context
  let places: Promise<Places> | undefined

  async function findingsOf(
    db: Queryable,
    paper: PaperRow,
    content: PaperContent,
    isWanted?: Parameters<typeof checkPeople>[3],
  ): Promise<RuleFinding[]> {
    places ??= loadTowns().then(createPlaces)
    const { layout, values } = content
    const checks = createChecksRepository(db)
    const days = await checks.listRegistrarDays(paper.academicYear)
    const now = settings()
    const context: CheckContext = {
      purpose: layout.purpose,
      startsOn: `${paper.academicYear.slice(0, 4)}-08-01`,
      places: await places,
      texts: textFieldsOf(values),
      showsParts: values.includes('attendancePercent'),
      unset: unsetOf(layout, now),
      isUnnamed: (course) =>
        values.includes('officialProgram') && officialProgram({ course, program: '' }, now) === '',
      registrarOn: new Map([...days].map(([startsOn, at]) => [startsOn, calendarDateOf(at, timeZone)])),
      inPaper: await checks.listElsewhere(paper),
      since: isWanted ? null : await differenceOf(checks, paper, content),
    }
    return await checkPeople(remaining(content), context, createPause(), isWanted)
  }

  return {
    async countStops(tx: Queryable, paper: PaperRow, content: PaperContent): Promise<number> {
      return stopsOf(await findingsOf(tx, paper, content, ({ severity }) => severity === 'stop'))
    },

    async check(id: string, actor: Staff): Promise<PaperCheck> {
      const { access } = actor
      return await database.transact(
        async (tx) => {
          const paper = mustBeDraft(await createPapersRepository(tx, access).find(id))
          const content = await readContent(tx, access, paper, settings())
          const findings = await findingsOf(tx, paper, content)
          const listed = content.rows.filter(({ list }) => list !== 'unlisted')
          const ready = new Set(listed.map(({ studentId }) => studentId)).size
          await audit.recordView(tx, {
            action: 'students-listed',
            actor,
            subject: paper.title,
            affected: ready,
            detail: { paper: id },
          })
          return {
            ready,
            unlisted: content.rows.length - listed.length,
            counts: content.counts,
            stops: stopsOf(findings),
            findings: findings.map((finding) => present(finding, content.answers)),
            leftOut: leftOutOf(content),
            preview: previewOf(content),
            basis: content.basis,
          }
        },
        { long: true },
      )
    },

    /**
     * Fixes what the rule proposes. A record that was changed since, or isn't found any more, stays as it is. Without
     * a list of people, records that were answered as meant stay as they are too.
     */
    async fix(id: string, { code, people }: PaperFixes, actor: Staff) {
      const changeId = createId()
      return await commitChange(
        context,
        'students',
        async (tx, record) => {
          const paper = mustBeDraft(await createPapersRepository(tx, actor.access).lock(id))
          const content = await readContent(tx, actor.access, paper, settings())
          const findings = await findingsOf(tx, paper, content, (rule) => rule.code === code)
          const meant = meantOf(content.answers, code)
          const proposals = findings
            .flatMap((finding) => finding.people)
            .filter(({ subject }) => people !== null || !meant.has(subject))
          const fixes = proposed(proposals, people)
          const cause = { at: clock(), timeZone, adminId: actor.adminId }
          const fixed = await setUndoably(tx, record, { id: changeId, wanted: fixes, actor, cause })
          const asked = new Set(people?.map(({ subject }) => subject.split(' ')[0]) ?? fixes.keys())
          return { id: changeId, fixed, skipped: asked.size - fixed }
        },
        { long: true },
      )
    },

    async answer(id: string, { code, subjects, answer, reason }: PaperAnswers, actor: Staff): Promise<void> {
      if (!ruleCodes.has(code)) throw invalid('code', paperMessages.rule)
      await commitChange(context, 'papers', async (tx, record) => {
        const paper = mustBeDraft(await createPapersRepository(tx, actor.access).lock(id))
        const checks = createChecksRepository(tx)
        if (answer === null) await checks.deleteAnswers(id, code, subjects)
        else
          await checks.saveAnswers(id, subjects, { code, answer, reason, byId: actor.adminId, at: clock() })
        await record({
          action: 'paper-changed',
          actor,
          subject: paper.title,
          affected: subjects.length,
          detail: { step: answer ?? 'answer taken back', code },
        })
      })
    },
  }
}

interface Proposed {
  version: number
  after: Partial<Record<FieldFix['field'], string>>
}

/** Maps each student's id to the fixes. With a list of people, only those at the version that was seen are in it. */
function proposed(found: readonly FoundPerson[], people: PaperFixes['people']): Map<string, Proposed> {
  const seen = people && new Map(people.map(({ subject, version }) => [subject, version]))
  const wanted = new Map<string, Proposed>()
  for (const { subject, ids, versions, fixes } of found) {
    const [studentId, version] = [ids[0], versions[0]]
    const isWanted = fixes.length > 0 && (seen === null || seen.get(subject) === version)
    if (!isWanted || studentId === undefined || version === undefined) continue
    const after = Object.fromEntries(fixes.map((fix) => [fix.field, fix.after]))
    wanted.set(studentId, { version, after: { ...wanted.get(studentId)?.after, ...after } })
  }
  return wanted
}

/** @throws AppError `not_found`; `conflict` for a frozen one */
function mustBeDraft(found: PaperRow | undefined): PaperRow {
  const paper = mustExist(found, paperMessages.missing)
  if (paper.state !== 'draft') throw new AppError('conflict', paperMessages.frozen)
  return paper
}

const stopsOf = (findings: readonly RuleFinding[]) =>
  findings.filter(({ severity }) => severity === 'stop').reduce((sum, { people }) => sum + people.length, 0)

/** Leaves out the people whom an answer leaves out of the paper. */
function remaining({ people, rows }: PaperContent) {
  const listed = new Set(rows.map(({ list, studentId }) => `${list} ${studentId}`))
  return people.filter(({ list, studentId }) => listed.has(`${list} ${studentId}`))
}

const needLabels: Readonly<Record<Layout['needs'][number], string>> = {
  region: 'Region',
  heiType: 'Type of the school',
  heiName: 'Name of the school',
}

function unsetOf({ needs }: Layout, now: Settings): string[] {
  const held = { region: now.office.region, heiType: now.office.heiType, heiName: heiNameOf(now) }
  return needs.filter((need) => held[need] === '').map((need) => needLabels[need])
}

async function differenceOf(
  checks: ReturnType<typeof createChecksRepository>,
  paper: PaperRow,
  { rows, values }: PaperContent,
): Promise<CheckContext['since']> {
  const before = await checks.findBefore(paper)
  if (!before?.definition) return null
  const theirs = before.definition.values
  // Where somebody stands in the list is no change of the person.
  const compared = values.filter((value) => value !== 'seq' && theirs.includes(value))
  const { lines, erased } = linesOf(await checks.listCells(before.id), theirs, compared)
  const now = linesOf(
    rows.filter(({ list }) => list !== 'unlisted'),
    values,
    compared,
  ).lines
  const kept = [...now].filter(([line]) => lines.has(line))
  return {
    came: peopleOf([...now.keys()].filter((line) => !lines.has(line))).size,
    went: peopleOf([...lines.keys()].filter((line) => !now.has(line))).size + erased,
    changed: peopleOf(kept.flatMap(([line, text]) => (lines.get(line) === text ? [] : [line]))).size,
  }
}

/** What the lists say of each member, by list and student, and how many members were erased. */
function linesOf(
  rows: readonly { list: PaperList; studentId: string | null; cells: readonly string[] }[],
  names: readonly ValueName[],
  compared: readonly ValueName[],
): { lines: Map<string, string>; erased: number } {
  const lines = new Map<string, string>()
  const erased = new Map<PaperList, number>()
  for (const { list, studentId, cells } of rows) {
    if (studentId === null) erased.set(list, (erased.get(list) ?? 0) + 1)
    else
      lines.set(`${list} ${studentId}`, JSON.stringify(compared.map((value) => cells[names.indexOf(value)])))
  }
  // A person who was erased from two lists counts once. Nothing identifies them any more, so the longer list is counted.
  return { lines, erased: Math.max(0, ...erased.values()) }
}

/** The students of lines: who came to two lists came once. */
const peopleOf = (lines: readonly string[]) => new Set(lines.map((line) => line.slice(line.indexOf(' ') + 1)))

/** Maps each subject that was answered as meant to the reason. */
function meantOf(answers: readonly AnswerRow[], code: string): Map<string, string> {
  const meant = answers.filter((one) => one.code === code && one.answer === 'meant')
  return new Map(meant.map(({ subject, reason }) => [subject, reason]))
}

function present({ code, severity, title, people }: RuleFinding, answers: readonly AnswerRow[]): Finding {
  const meant = meantOf(answers, code)
  const isMeant = ({ subject }: { subject: string }) => severity === 'ask' && meant.has(subject)
  const open = people.filter((one) => !isMeant(one))
  const shown = [...open, ...people.filter(isMeant)].slice(0, mostShown)
  return {
    code,
    severity,
    title,
    total: people.length,
    open: open.length,
    people: shown.map((one) => ({
      ...one,
      isMeant: isMeant(one),
      reason: isMeant(one) ? (meant.get(one.subject) ?? '') : '',
    })),
  }
}

function leftOutOf({ people, answers }: PaperContent): PaperCheck['leftOut'] {
  const names = new Map(people.map(({ studentId, fields }) => [studentId, studentName(fields)]))
  return answers
    .filter(({ answer }) => answer === 'left out')
    .flatMap(({ code, subject, reason }) => {
      const name = names.get(subject)
      return name === undefined ? [] : [{ studentId: subject, name, code, reason }]
    })
}
