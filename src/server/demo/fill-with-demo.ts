import type { AppDatabase } from '#server/database/pool.ts'
import { ConfigurationError } from '#server/env.ts'
import { seedDemo } from './seed-demo.ts'

/**
 * Adds the demo content for `npm start -- --demo`. A database that holds students already is left as it is: the
 * product then starts with what is there, so the command may be given twice.
 */
export async function fillWithDemo(database: AppDatabase, say: (sentence: string) => void): Promise<void> {
  try {
    const count = await seedDemo({ database })
    say(`The demo content is in: ${count.toLocaleString('en-US')} made-up students.`)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    say(error.message)
  }
}
