import { v7 as createId } from 'uuid'
import type { SettingsService } from '#server/features/settings/service.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, type RecordChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { type LayoutCode, layoutCodes, paperMessages } from '#shared/papers/papers.ts'
import type { BaseAnswer, LayoutBase, LayoutItem } from '#shared/papers/papers-response.ts'
import { createBaseRepository, type UsedBase } from './base-repository.ts'
import type { Layout } from './layouts/layout.ts'
import { layoutOf } from './layouts/layouts.ts'
import { type ChosenColumn, readOwnWorkbook } from './own-workbook.ts'
import { createPapersRepository } from './repository.ts'

export interface LayoutNeeds {
  settings: Pick<SettingsService, 'current' | 'read' | 'change'>
}

interface UploadedBase {
  bytes: Buffer
  fileName: string
  chosen: readonly ChosenColumn[]
}

export function createLayouts(context: AppContext, { settings }: LayoutNeeds) {
  const { database, audit, clock } = context

  /** Blocks papers of the layout from being frozen meanwhile. */
  const change = (
    code: LayoutCode,
    { access }: Staff,
    work: (bases: ReturnType<typeof createBaseRepository>, record: RecordChange) => Promise<void>,
  ): Promise<void> =>
    commitChange(
      context,
      'papers',
      async (tx, record) => {
        // A freeze that has it takes long.
        await createPapersRepository(tx, access).lockLayout(code)
        await work(createBaseRepository(tx), record)
      },
      { long: true },
    )

  async function confirm(code: LayoutCode, isConfirmed: boolean, actor: Staff): Promise<void> {
    const { confirmedLayouts, version } = await settings.read()
    const others = confirmedLayouts.filter((one) => one !== code)
    await settings.change({ confirmedLayouts: isConfirmed ? [...others, code] : others }, version, actor)
    await audit.record(database.db, {
      action: 'layout-changed',
      actor,
      subject: code,
      detail: { isConfirmed },
    })
  }

  /** The agency's consent was confirmed for the form that was used before, not for another one. */
  async function endConfirmation(code: LayoutCode, actor: Staff): Promise<void> {
    if ((await settings.read()).confirmedLayouts.includes(code)) await confirm(code, false, actor)
  }

  async function readUsed(code: LayoutCode): Promise<LayoutBase | null> {
    const used = await createBaseRepository(database.db).listUsed()
    return presentBase(used.find(({ layout }) => layout === code))
  }

  return {
    async list(): Promise<LayoutItem[]> {
      const used = await createBaseRepository(database.db).listUsed()
      return layoutCodes.map((code) => {
        const layout = layoutOf(code, { ofGraduates: false })
        const { title, agency, purpose, takes } = layout
        return {
          code,
          title,
          agency,
          purpose,
          components: [...takes.components],
          isOfOneComponent: takes.isOfOneComponent ?? false,
          takesTerm: takes.term ?? false,
          takesLevel: takes.level ?? false,
          options: [...(takes.options ?? [])],
          isConfirmed: settings.current().confirmedLayouts.includes(code),
          takesBase: takesBase(layout),
          base: presentBase(used.find((base) => base.layout === code)),
        }
      })
    },

    confirm,

    /** The own workbook of the office, for papers that are frozen from now on. */
    async useBase(
      code: LayoutCode,
      { bytes, fileName, chosen }: UploadedBase,
      actor: Staff,
    ): Promise<BaseAnswer> {
      const layout = layoutOf(code, { ofGraduates: false })
      if (!takesBase(layout)) throw new AppError('conflict', paperMessages.noOwn(layout.title))
      const variants = [layout, layoutOf(code, { ofGraduates: true })] as const
      const own = await readOwnWorkbook(bytes, variants, chosen)
      if ('unknown' in own) return { base: null, unknown: own.unknown }
      const { removed } = own
      await change(code, actor, async (bases, record) => {
        await bases.retire(code, clock())
        await bases.insert({
          id: createId(),
          layout: code,
          fileName,
          bytes: own.bytes,
          headings: JSON.stringify(own.headings),
          removed,
          uploadedById: actor.adminId,
          uploadedAt: clock(),
        })
        const detail = { fileName, removed: removed.join(', ') }
        await record({ action: 'layout-changed', actor, subject: code, detail })
      })
      await endConfirmation(code, actor)
      return { base: await readUsed(code), unknown: [] }
    },

    /** Papers that were frozen with it keep it. */
    async removeBase(code: LayoutCode, actor: Staff): Promise<void> {
      await change(code, actor, async (bases, record) => {
        if (!(await bases.retire(code, clock()))) throw new AppError('not_found', paperMessages.noBase)
        await record({ action: 'layout-changed', actor, subject: code, detail: { fileName: null } })
      })
      await endConfirmation(code, actor)
    },
  }
}

/** A layout with headings for each part can't use the office's workbook: no single row has the people below it. */
const takesBase = ({ sheets }: Layout): boolean => sheets.every(({ list }) => list?.groups === undefined)

function presentBase(base: UsedBase | undefined): LayoutBase | null {
  if (!base) return null
  const { fileName, removed, uploadedAt, uploadedBy } = base
  return { fileName, removed: [...removed], uploadedAt: uploadedAt.toISOString(), uploadedBy }
}

/** The name of the office that a paper is for, as students read it. */
export const agencyOf = (layout: LayoutCode, { ofGraduates }: { ofGraduates: boolean }) =>
  layoutOf(layout, { ofGraduates }).agency
