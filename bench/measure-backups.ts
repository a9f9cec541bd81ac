import { measureRoundTrip } from './backup-round-trip.ts'
import type { Bench } from './bench.ts'
import { atMost, type Figure, format } from './report.ts'

const count = 20_000

export async function measureBackups({ database, ...options }: Bench): Promise<Figure[]> {
  await database.refill(count)
  const { backup, restore, size, content } = await measureRoundTrip({ ...options, database })
  const memory = ({ peak }: { peak: number | null }) =>
    peak === null ? 'memory unknown on this system' : `${format(peak)} MB of memory`
  return [
    {
      what: `backup of ${count.toLocaleString('en')} students and 200 files of ${format(content)} MB, then restored into a new installation: identical`,
      product: `${format(backup.seconds)} s (${memory(backup)}), ${format(restore.seconds)} s (${memory(restore)}); file ${format(size)} MB`,
      reference: '',
      aim: atMost(backup.seconds + restore.seconds, 60, ' s'),
    },
  ]
}
