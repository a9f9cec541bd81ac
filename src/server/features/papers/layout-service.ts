import type { SettingsService } from '#server/features/settings/service.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type LayoutCode, layoutCodes } from '#shared/papers/papers.ts'
import type { LayoutItem } from '#shared/papers/papers-response.ts'
import { layoutOf } from './layouts/layouts.ts'

export interface LayoutNeeds {
  settings: Pick<SettingsService, 'current' | 'read' | 'change'>
}

export function createLayouts(
  { database, audit }: Pick<AppContext, 'database' | 'audit'>,
  { settings }: LayoutNeeds,
) {
  return {
    list: (): LayoutItem[] =>
      layoutCodes.map((code) => {
        const { title, agency, purpose, takes } = layoutOf(code, { ofGraduates: false })
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
        }
      }),

    async confirm(code: LayoutCode, isConfirmed: boolean, actor: Staff): Promise<void> {
      const { confirmedLayouts, version } = await settings.read()
      const others = confirmedLayouts.filter((one) => one !== code)
      await settings.change({ confirmedLayouts: isConfirmed ? [...others, code] : others }, version, actor)
      await audit.record(database.db, {
        action: 'layout-changed',
        actor,
        subject: code,
        detail: { isConfirmed },
      })
    },
  }
}
