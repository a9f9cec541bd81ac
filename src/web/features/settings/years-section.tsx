import { academicYearAfter } from '#shared/academic-year.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { currentAcademicYear } from '#shared/settings.ts'
import { isAcademicYear } from '#shared/students.ts'
import { SelectField } from '#web/components/select-field.tsx'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { ListEditor } from './list-editor.tsx'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

/** The academic years on offer, and the one that the enlistment form starts with. */
export function YearsSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const byCalendar = currentAcademicYear({ ...values, currentAcademicYear: '' }, today)
  const chosen = values.currentAcademicYear
  // Without what is just being typed.
  const years = [...new Set(values.academicYears.filter(isAcademicYear))]
  return (
    <SectionCard
      title="Academic years"
      lead="On offer in the enlistment form and the filters. Records keep a year that is removed here."
      section={section}
    >
      <SelectField
        name="currentAcademicYear"
        label={settingLabels.currentAcademicYear}
        hint="Stands in the enlistment form from the start."
        density="compact"
        value={chosen}
        error={errorOf('currentAcademicYear')}
        options={[
          { value: '', label: byCalendar === '' ? 'By the calendar' : `By the calendar (now ${byCalendar})` },
          ...years,
          ...(chosen === '' || years.includes(chosen)
            ? []
            : [{ value: chosen, label: `${chosen} (removed)` }]),
        ]}
        onChange={({ target }) => change({ currentAcademicYear: target.value })}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-semibold">{settingLabels.academicYears}</legend>
        <ListEditor
          path="academicYears"
          noun="Academic year"
          items={values.academicYears}
          onChange={(academicYears) => change({ academicYears })}
          errorOf={errorOf}
          suggestion={academicYearAfter(values.academicYears) ?? ''}
        />
      </fieldset>
    </SectionCard>
  )
}
