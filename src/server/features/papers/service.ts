import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { v7 as createId } from 'uuid'
import type { TransactOptions } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { CountedReader, Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  type ChangeContext,
  commitChange,
  mustBeCurrent,
  mustBeOwn,
  mustExist,
  type RecordChange,
} from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { batchesOf } from '#server/lib/paging.ts'
import { heiNameOf } from '#shared/papers/office.ts'
import {
  type NewPaper,
  type PaperEdit,
  type PaperList,
  type PaperState,
  type PaperStep,
  paperMessages,
} from '#shared/papers/papers.ts'
import type { Paper, PaperRows } from '#shared/papers/papers-response.ts'
import { calendarDateOf, monthNames } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import { semesterNames, termLabel } from '#shared/terms/terms.ts'
import { createBaseRepository } from './base-repository.ts'
import { type PaperContent, readContent } from './content.ts'
import type { FrozenDefinition, Layout } from './layouts/layout.ts'
import { layoutOf } from './layouts/layouts.ts'
import { fillPaper, writePaper } from './paper-workbook.ts'
import {
  createPapersRepository,
  type ListedPaper,
  type PaperRow,
  type PapersRepository,
} from './repository.ts'
import { isRequired, textFieldsOf } from './values.ts'

export interface PaperNeeds {
  settings: () => Settings
  /** How many findings of a check hinder the freezing. */
  countStops: (tx: Queryable, paper: PaperRow, content: PaperContent) => Promise<number>
}

const rowsAtOnce = 1_000

export type PapersService = ReturnType<typeof createPapersService>

export function createPapersService(
  context: ChangeContext & Pick<AppContext, 'timeZone'>,
  { settings, countStops }: PaperNeeds,
) {
  const { database, clock, audit, timeZone } = context

  /** The paper stays as it is until the transaction ends. */
  async function change<T>(
    id: string,
    version: number | undefined,
    { access }: Staff,
    work: (papers: PapersRepository, paper: PaperRow, tx: Queryable, record: RecordChange) => Promise<T>,
    options?: TransactOptions,
  ): Promise<T> {
    return await commitChange(
      context,
      'papers',
      async (tx, record) => {
        const papers = createPapersRepository(tx, access)
        const paper = mustBeCurrent(await papers.lock(id), paperMessages.missing, version)
        return await work(papers, paper, tx, record)
      },
      options,
    )
  }

  async function find(id: string, access: Access): Promise<ListedPaper> {
    return mustExist(await createPapersRepository(database.db, access).find(id), paperMessages.missing)
  }

  const read = async (id: string, access: Access): Promise<Paper> => present(await find(id, access))

  return {
    /** Frozen papers that list a student, with those of the fields that they have as they were. */
    async withStudent(studentId: string, fields: readonly StudentField[], access: Access) {
      const papers = await createPapersRepository(database.db, access).withStudent(studentId)
      const held = papers.map(({ definition, ...paper }) => {
        const own: readonly StudentField[] = textFieldsOf(definition?.values ?? [])
        return { ...paper, fields: fields.filter((field) => own.includes(field)) }
      })
      return held.filter((paper) => paper.fields.length > 0)
    },

    read,

    list: async (academicYear: string | undefined, access: Access): Promise<Paper[]> =>
      (await createPapersRepository(database.db, access).list(academicYear)).map(present),

    async add({ dueOn, ...paper }: NewPaper, actor: Staff): Promise<Paper> {
      const { access } = actor
      const id = createId()
      await commitChange(context, 'papers', async (tx, record) => {
        const papers = createPapersRepository(tx, access)
        const layout = mustFit(paper, access)
        const term = paper.termId === null ? undefined : await papers.findTerm(paper.termId)
        const isOfYear = term?.academicYear === paper.academicYear
        if (layout.takes.term ? !isOfYear : paper.termId !== null) throw invalid('termId', paperMessages.term)
        await papers.insert({
          ...paper,
          id,
          title: paper.title || `${layout.title} ${term ? termLabel(term) : paper.academicYear}`,
          options: JSON.stringify(paper.options),
          dueOn,
          createdById: actor.adminId,
          createdAt: clock(),
        })
        await record({ action: 'paper-changed', actor, subject: layout.title, detail: { step: 'made' } })
      })
      return await read(id, access)
    },

    async edit(id: string, version: number, edit: PaperEdit, actor: Staff): Promise<Paper> {
      await change(id, version, actor, async (papers, paper, _tx, record) => {
        const isSame =
          isDeepStrictEqual(edit.components, paper.components) &&
          isDeepStrictEqual(edit.options, paper.options)
        if (paper.state !== 'draft' && !isSame) throw new AppError('conflict', paperMessages.frozen)
        mustFit({ ...paper, ...edit }, actor.access)
        await papers.update(id, {
          ...edit,
          title: edit.title || paper.title,
          options: JSON.stringify(edit.options),
        })
        await record({ action: 'paper-changed', actor, subject: paper.title, detail: { step: 'edited' } })
      })
      return await read(id, actor.access)
    },

    delete: (id: string, version: number | undefined, actor: Staff): Promise<void> =>
      change(id, version, actor, async (papers, paper, _tx, record) => {
        if (paper.state !== 'draft') throw new AppError('conflict', paperMessages.frozen)
        mustBeOwn(paper.createdById, actor)
        await papers.delete(id)
        await record({ action: 'paper-changed', actor, subject: paper.title, detail: { step: 'deleted' } })
      }),

    async freeze(id: string, version: number, basis: string, actor: Staff): Promise<Paper> {
      const { access } = actor
      await change(
        id,
        version,
        actor,
        async (papers, paper, tx, record) => {
          if (paper.state !== 'draft') throw new AppError('conflict', paperMessages.frozen)
          await papers.lockLayout(paper.layout)
          const content = await readContent(tx, access, paper, settings())
          if (content.basis !== basis) throw new AppError('conflict', paperMessages.stale)
          const stops = await countStops(tx, paper, content)
          if (stops > 0) throw new AppError('conflict', paperMessages.stops(stops))
          mustAddUp(content)
          const definition = await define(papers, paper, content)
          const baseId = await findBase(tx, definition.layout)
          const digest = sha256(JSON.stringify([definition, content.rows])).toString('hex')
          await papers.insertRows(id, content.rows)
          await papers.update(id, {
            state: 'frozen',
            definition: JSON.stringify(definition),
            counts: JSON.stringify(content.counts),
            baseId,
            digest,
            frozenById: actor.adminId,
            frozenAt: clock(),
          })
          const detail = { digest }
          await record({
            action: 'paper-frozen',
            actor,
            subject: paper.title,
            affected: content.rows.length,
            detail,
          })
        },
        // The transaction takes seconds for a large school.
        { long: true },
      )
      return await read(id, access)
    },

    async unfreeze(id: string, version: number, actor: Staff): Promise<Paper> {
      await change(id, version, actor, async (papers, paper, _tx, record) => {
        if (paper.state !== 'frozen')
          throw new AppError(
            'conflict',
            paper.state === 'draft' ? paperMessages.notFrozen : paperMessages.sent,
          )
        await papers.deleteRows(id)
        const none = { definition: null, counts: null, digest: null, frozenById: null, frozenAt: null }
        await papers.update(id, { ...none, baseId: null, state: 'draft' })
        await record({ action: 'paper-changed', actor, subject: paper.title, detail: { step: 'unfrozen' } })
      })
      return await read(id, actor.access)
    },

    async setState(id: string, version: number, step: PaperStep, actor: Staff): Promise<Paper> {
      await change(id, version, actor, async (papers, paper, _tx, record) => {
        const { state, on, how, reference, note } = step
        if (!next[paper.state].includes(state)) {
          throw new AppError('conflict', paperMessages.notNow(paper.state, state))
        }
        if (on > calendarDateOf(clock(), timeZone)) throw invalid('on', paperMessages.onFuture)
        if (state !== 'sent' && paper.sentOn !== null && on < paper.sentOn) {
          throw invalid('on', paperMessages.beforeSent)
        }
        await mustBeAllowed(papers, paper)
        await papers.update(id, {
          state,
          ...(state === 'sent' ? { sentOn: on, sentHow: how } : { answeredOn: on }),
          ...(reference !== '' && { agencyReference: reference }),
          ...(note !== '' && { note }),
        })
        const detail = { state, on, how, reference }
        await record({ action: 'paper-sent', actor, subject: paper.title, detail })
      })
      return await read(id, actor.access)
    },

    /** A draft that corrects a returned paper, with its answers. */
    async copy(id: string, actor: Staff): Promise<Paper> {
      const newId = createId()
      await change(id, undefined, actor, async (papers, paper, _tx, record) => {
        if (paper.state !== 'returned') throw new AppError('conflict', paperMessages.notReturned)
        const { layout, title, academicYear, termId, components, options, dueOn } = paper
        await papers.insert({
          id: newId,
          layout,
          title,
          academicYear,
          termId,
          components,
          options: JSON.stringify(options),
          dueOn,
          follows: id,
          createdById: actor.adminId,
          createdAt: clock(),
        })
        await papers.copyAnswers(id, newId)
        await record({ action: 'paper-changed', actor, subject: title, detail: { step: 'corrected' } })
      })
      return await read(newId, actor.access)
    },

    async rows(
      id: string,
      { list, page, pageSize }: { list: PaperList; page: number; pageSize: number },
      { actor, admit }: CountedReader,
    ): Promise<PaperRows> {
      const paper = await find(id, actor.access)
      const { values, layout } = mustBeFrozen(paper).definition
      const papers = createPapersRepository(database.db, actor.access)
      const [lines, total] = await Promise.all([
        papers.listRows(id, list, { after: (page - 1) * pageSize, limit: pageSize }),
        papers.countRows(id, list),
      ])
      await admit(lines.flatMap(({ studentId }) => studentId ?? []))
      const own = layout.sheets.find((sheet) => sheet.list?.of === list)?.list
      const columns = own ? own.columns : identityColumns
      const entry = {
        action: 'students-listed',
        actor,
        subject: paper.title,
        affected: lines.length,
      } as const
      await audit.recordView(database.db, { ...entry, detail: { paper: id, list } }, String(page))
      return {
        heads: columns.map(({ head }) => head),
        items: lines.map(({ number, studentId, cells, serial }) => ({
          list,
          number,
          studentId,
          cells: studentId === null ? [] : columns.map(({ value }) => cells[values.indexOf(value)] ?? ''),
          serial,
        })),
        total,
        page,
        pageSize,
      }
    },

    async file(id: string, actor: Staff): Promise<{ fileName: string; workbook: Readable }> {
      const paper = await find(id, actor.access)
      const { definition, counts } = mustBeFrozen(paper)
      const papers = createPapersRepository(database.db, actor.access)
      await mustBeAllowed(papers, paper)
      const { title: subject, rows: affected } = paper
      await audit.record(database.db, { action: 'paper-downloaded', actor, subject, affected })
      const readRows = (list: PaperList) =>
        batchesOf((after) => papers.listRows(id, list, { after, limit: rowsAtOnce }))
      const created = paper.frozenAt ?? clock()
      const frozen = { definition, counts, readRows }
      const base = paper.baseId === null ? null : await createBaseRepository(database.db).read(paper.baseId)
      return {
        fileName: `${paper.title}.xlsx`,
        workbook: base
          ? await fillPaper(frozen, base, created)
          : writePaper(frozen, { title: paper.title, created, timeZone }),
      }
    },
  }

  async function define(
    papers: PapersRepository,
    paper: PaperRow,
    { layout, values }: PaperContent,
  ): Promise<FrozenDefinition> {
    const now = settings()
    const term = paper.termId === null ? undefined : await papers.findTerm(paper.termId)
    const signatories = now.signatories.filter(({ signs }) => signs !== 'certificates')
    return {
      layout,
      values,
      heiType: now.office.heiType,
      texts: {
        academicYear: paper.academicYear,
        termLabel: term ? semesterNames[term.semester] : '',
        level: String(paper.options.level),
        component: paper.components.join(', '),
        heiName: heiNameOf(now),
        heiAddress: now.office.heiAddress,
        date: letterDate(calendarDateOf(clock(), timeZone)),
        ...Object.fromEntries(
          signatories.flatMap(({ name, title }, index) => [
            [`signatory:${index + 1}`, name],
            [`title:${index + 1}`, title],
          ]),
        ),
      },
    }
  }
}

/** Call it under the lock of the layout. @throws AppError `conflict` where the own workbook is for another list */
async function findBase(tx: Queryable, { code, sheets }: Layout): Promise<string | null> {
  const base = (await createBaseRepository(tx).listUsed()).find(({ layout }) => layout === code)
  if (!base) return null
  const lacking = sheets
    .flatMap(({ list }, index) => (list?.columns ?? []).map((column) => ({ ...column, index })))
    .find(({ value, index }) => isRequired(value) && base.headings[index]?.columns[value] === undefined)
  if (lacking) throw new AppError('conflict', paperMessages.lacks(lacking.head))
  const isOther = base.headings.some(({ columns }, index) =>
    Object.keys(columns).some((value) => !sheets[index]?.list?.columns.some((own) => own.value === value)),
  )
  if (isOther) throw new AppError('conflict', paperMessages.otherList)
  return base.id
}

const next: Readonly<Record<PaperState, readonly PaperState[]>> = {
  draft: [],
  frozen: ['sent'],
  sent: ['accepted', 'returned'],
  accepted: [],
  returned: [],
}

// The columns of the list of people who are only counted.
const identityColumns = [
  { head: 'Last Name', value: 'lastName' },
  { head: 'First Name', value: 'firstName' },
  { head: 'Component', value: 'component' },
  { head: 'Sex', value: 'sex' },
] as const

/** 03-Aug-26 */
function letterDate(date: string): string {
  const [year = '', month, day = ''] = date.split('-')
  return `${day}-${monthNames[Number(month) - 1]?.slice(0, 3)}-${year.slice(2)}`
}

/** @throws AppError `invalid`, `permission_denied` */
function mustFit(
  { layout: code, components, options }: Pick<NewPaper, 'layout' | 'options'> & Pick<PaperRow, 'components'>,
  access: Access,
) {
  const layout = layoutOf(code, options)
  const { takes, title } = layout
  const isTaken = components.every((component) => takes.components.includes(component))
  if (!isTaken) throw invalid('components', paperMessages.notOfLayout(title, takes.components))
  if (takes.isOfOneComponent && components.length > 1)
    throw invalid('components', paperMessages.oneComponent(title))
  if (!components.every((component) => access.includes(component)))
    throw new AppError('permission_denied', paperMessages.notYours)
  return layout
}

/** The Summary of the paper is that of its rows. */
function mustAddUp({ rows, counts }: PaperContent): void {
  if (rows.length === 0) throw new AppError('conflict', paperMessages.empty)
  const cells = [counts.enrolment, counts.graduates].flatMap((list) => Object.values(list))
  const counted = cells.reduce((sum, { Male, Female }) => sum + Male + Female, 0)
  if (counted !== rows.length) throw new AppError('conflict', paperMessages.sexes)
}

function mustBeFrozen({ definition, counts }: PaperRow) {
  if (!definition || !counts) throw new AppError('conflict', paperMessages.notFrozen)
  return { definition, counts }
}

/** A paper with a student who was blocked after it was frozen can't be sent. A paper that was sent before stays as it is. */
async function mustBeAllowed(papers: PapersRepository, { id, state }: PaperRow): Promise<void> {
  const blocked = state === 'frozen' ? await papers.countBlocked(id) : 0
  if (blocked > 0) throw new AppError('conflict', paperMessages.blocked(blocked))
}

function present(paper: ListedPaper): Paper {
  const { termId, semester, follows, followedTitle, createdAt, frozenAt, definition: _own, ...row } = paper
  const { createdById: _createdBy, frozenById: _frozenBy, baseId: _base, ...shown } = row
  return {
    ...shown,
    components: [...paper.components],
    term:
      termId === null || semester === null
        ? null
        : { id: termId, label: termLabel({ semester, academicYear: paper.academicYear }) },
    follows: follows === null ? null : { id: follows, title: followedTitle ?? '' },
    createdAt: createdAt.toISOString(),
    frozenAt: frozenAt?.toISOString() ?? null,
  }
}
