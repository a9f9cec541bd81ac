import type { Selectable } from 'kysely'
import type { Queryable, Tables } from '#server/database/schema.ts'

export type NightlyRow = Omit<Selectable<Tables['nightlyBackup']>, 'onlyRow'>

/** The table has one row. Index: nightly_backup_pkey. */
export function createNightlyRepository(db: Queryable) {
  const row = () =>
    db
      .selectFrom('nightlyBackup')
      .select([
        'version',
        'folder',
        'passphrase',
        'changedAt',
        'triedAt',
        'madeAt',
        'bytes',
        'kept',
        'failure',
      ])
  // What a run finds out is of the folder that it began with.
  const ofVersion = (version: number) => db.updateTable('nightlyBackup').where('version', '=', version)

  return {
    find: (): Promise<NightlyRow> => row().executeTakeFirstOrThrow(),

    findForChange: (): Promise<NightlyRow> => row().forUpdate().executeTakeFirstOrThrow(),

    change: (to: Pick<NightlyRow, 'version' | 'folder' | 'passphrase' | 'changedAt'>) =>
      db
        .updateTable('nightlyBackup')
        .set({ ...to, triedAt: null, failure: null })
        .execute(),

    forgetFiles: () =>
      db.updateTable('nightlyBackup').set({ madeAt: null, bytes: null, kept: null }).execute(),

    /** @returns false where another process was first */
    async claim({ version, triedAt }: NightlyRow, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await ofVersion(version)
        .set({ triedAt: now })
        .where('triedAt', 'is not distinct from', triedAt)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    noteMade: (
      version: number,
      made: { madeAt: Date; bytes: number } & Pick<NightlyRow, 'kept' | 'failure'>,
    ) => ofVersion(version).set(made).execute(),

    noteFailure: (version: number, failure: string) => ofVersion(version).set({ failure }).execute(),
  }
}
