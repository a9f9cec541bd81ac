import { ArchivedStudents } from '#web/features/students/archived-students.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/admin-archived'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Archived Students', site: frame.loaderData?.settings })
}

export default ArchivedStudents
