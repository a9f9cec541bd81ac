import { settingsLimits } from '#shared/settings-schema.ts'
import { ListEditor } from './list-editor.tsx'
import { SectionCard } from './section-card.tsx'
import type { Section } from './use-section.ts'

/** The courses on offer. */
export function CoursesSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  return (
    <SectionCard
      title="Courses"
      lead="On offer in the enlistment form, in this order. Records keep a course that is removed here."
      section={section}
    >
      <ListEditor
        path="courses"
        noun="Course"
        items={values.courses}
        onChange={(courses) => change({ courses })}
        errorOf={errorOf}
        mostLetters={settingsLimits.courseName}
      />
    </SectionCard>
  )
}
