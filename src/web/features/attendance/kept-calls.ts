import { fromStorage } from './phone-storage.ts'

/*
 * Calls of a roll that wait on this phone, in IndexedDB: `localStorage` is written up to a minute late, and two tabs would
 * overwrite each other's list. A call has ids, a state and the name of its section, but no name of a student.
 */

const databaseName = 'nstp-roll'
const storeName = 'calls'

/** This file knows no more of a call. */
interface OneCall {
  id: string
}

interface KeptCall<Call> {
  call: Call
  // The account that made it: another one neither sees nor sends it.
  account: string
}

/** @returns none where the browser keeps nothing */
export async function readKeptCalls<Call extends OneCall>(account: string): Promise<Call[]> {
  const kept = await inStore<KeptCall<Call>[]>('readonly', (store) => store.index('account').getAll(account))
  return (kept ?? []).map(({ call }) => call)
}

export const countKeptCalls = async (account: string): Promise<number> =>
  (await inStore('readonly', (store) => store.index('account').count(account))) ?? 0

/**
 * Keeps all calls that wait, also those that the phone refused before, and deletes those that they replace.
 * @returns false where the browser keeps nothing
 */
export async function keepCalls(
  account: string,
  calls: readonly OneCall[],
  replaced: readonly OneCall[],
): Promise<boolean> {
  const isKept = await inStore('readwrite', (store) => {
    for (const { id } of replaced) store.delete(id)
    for (const call of calls) store.put({ account, call } satisfies KeptCall<OneCall>)
    return store.count()
  })
  return isKept !== undefined
}

/** Deletes what was sent or discarded. */
export async function dropKeptCalls(calls: readonly OneCall[]): Promise<void> {
  await inStore('readwrite', (store) => {
    for (const { id } of calls) store.delete(id)
    return store.count()
  })
}

/** @returns undefined where the browser keeps nothing */
function inStore<Answer>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer | undefined> {
  return fromStorage(async () => {
    const database = await openDatabase()
    try {
      // A phone whose battery dies has what was called.
      const transaction = database.transaction(storeName, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(storeName))
      await new Promise((resolve, reject) => {
        transaction.addEventListener('complete', resolve)
        transaction.addEventListener('abort', () => reject(transaction.error))
      })
      return request.result
    } finally {
      database.close()
    }
  })
}

async function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, 1)
  return await new Promise((resolve, reject) => {
    opening.addEventListener('upgradeneeded', () =>
      opening.result.createObjectStore(storeName, { keyPath: 'call.id' }).createIndex('account', 'account'),
    )
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(opening.error))
  })
}
