import type { AppDatabase } from '#server/database/pool.ts'
import { ConfigurationError } from '#server/env.ts'
import { fillContent } from './content/fill-content.ts'
import { seedDemo } from './seed-demo.ts'

/**
 * Adds the demo content for `npm start -- --demo`. A database that holds records already is left as it is: the
 * product then starts with what is there, so the command may be given twice.
 */
export async function fillWithDemo(database: AppDatabase, say: (sentence: string) => void): Promise<void> {
  try {
    const count = await seedDemo({ database, content: fillContent })
    say(
      `The demo content is in: ${count.toLocaleString('en-US')} made-up students, announcements, slides and an organizational chart.`,
    )
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    say(error.message)
  }
}
