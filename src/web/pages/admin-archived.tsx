import { ArchivedStudents } from '#web/features/students/archived-students.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'

export const meta = staticMeta({ title: 'Archived Students' })

export default ArchivedStudents
