import { RollScreen } from '#web/features/attendance/roll-screen.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'

export const meta = staticMeta({ title: 'Roll' })

export default RollScreen
