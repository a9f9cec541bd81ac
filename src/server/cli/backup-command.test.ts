// @module-tag rest
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '#server/features/audit/repository.ts'
import { createRejectionRepository } from '#server/features/students/rejection-repository.ts'
import { ownActor } from '#server/lib/actor.ts'
import { systemClock } from '#server/lib/clock.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { storeMail, storeMessage } from '#tests/factories/stored-mail.ts'
import { storeSlides } from '#tests/factories/stored-slide.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { readAllRows } from '#tests/setup/all-rows.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { type AuthOnDatabase, createAuthOn } from '#tests/setup/auth.ts'
import { runBackup, runRestore } from '#tests/setup/operator-commands.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase, createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'

describe('backup command', () => {
  const passphrase = 'correct horse battery staple'

  let folder: TemporaryFolder
  let source: TestDatabase
  let auth: AuthOnDatabase
  let file: string

  beforeEach(async () => {
    folder = makeTemporaryFolder()
    file = join(folder.path, 'all.nstp')
    source = await createTestDatabase()
    auth = createAuthOn(source)
    await auth.reset()
  })
  afterEach(async () => {
    await source.close()
    folder.remove()
  })

  const envOf = (database: { url: string }, more: Record<string, string> = {}) => ({
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    BACKUP_PASSPHRASE: passphrase,
    ...more,
  })

  async function fillOtherTables({ db }: TestDatabase) {
    await sql`insert into erasures values (${randomBytes(32)}, now())`.execute(db)
    await sql`insert into privacy_requests values (gen_random_uuid(), 'copy', 'NSTP-AAAA-BBBB', now(), now())`.execute(
      db,
    )
    await sql`insert into last_backup (at, is_sealed) values (now(), true)`.execute(db)
    await sql`update nightly_backup set version = 3, folder = '/mnt/Señor', passphrase = ${randomBytes(60)},
      changed_at = now(), tried_at = now(), made_at = now(), bytes = 5000000000, kept = 2, failure = 'a "fault"'`.execute(
      db,
    )
    await sql`insert into privacy_breaches values (gen_random_uuid(), now(), 'a lost list', 'names', 'none', 1)`.execute(
      db,
    )
    await sql`insert into student_requests (id, student_id, kind, asked_at, changes, reason, privacy_request_id)
      select gen_random_uuid(), students.id, 'copy', now(), '{"address": {"from": "a \\"b\\"", "to": "☃"}}', 'Señor', privacy_requests.id
      from students, privacy_requests order by students.id limit 1`.execute(db)
    await sql`insert into former_references select 'NSTP-BBBB-CCCC', id from students order by id limit 1`.execute(
      db,
    )
    const { id: adminId } = await db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
    const [first = '', second = ''] = (
      await db.selectFrom('students').select('id').orderBy('id').execute()
    ).map(({ id }) => id)
    const bytes = randomBytes(700_000)
    const hash = createHash('sha256').update(bytes).digest('hex')
    await sql`insert into files (id, media_type, bytes, width) values (${hash}, 'image/webp', ${bytes}, 640)`.execute(
      db,
    )
    const changed = JSON.stringify({ schoolName: 'Señor \\ "quoted" ☃' })
    await sql`update settings set version = 7, changed = ${changed}::jsonb`.execute(db)
    await sql`insert into second_factors (admin_id, secret, last_step)
    values (${adminId}, ${Buffer.from([0, 255, 92, 120])}, 9007199254740993)`.execute(db)
    await sql`insert into recovery_codes values (${adminId}, ${randomBytes(32)})`.execute(db)
    await sql`insert into imports (id, file_name, created_at, created_by, state, row_count, headers,
      guessed_date_order) values (gen_random_uuid(), 'a "b", {c}.csv', now(), 'me', 'checked', 1,
      array['Last name', 'He said "no"', '', null, 'a,b', '{x}'], 'day-first')`.execute(db)
    await sql`insert into import_rows (import_id, number, cells) select id, 2, '["a", null, 1.50]' from imports`.execute(
      db,
    )
    await sql`update students set import_id = (select id from imports), submission_key = 'key' where id = ${first}`.execute(
      db,
    )
    await sql`insert into different_students values (${first}, ${second}, now())`.execute(db)
    await sql`insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (gen_random_uuid(), '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now())`.execute(db)
    await sql`insert into sections (id, term_id, component, level, unit, name, capacity, courses, position)
      select gen_random_uuid(), id, 'CWTS', 1, 'Peña', 'A, "B"', 40, array['a,b', '{x}'], 0 from terms`.execute(
      db,
    )
    await sql`insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry, percent,
        parts, scores)
      select gen_random_uuid(), term_id, ${first}, 'CWTS', 1, id, '2026-08-10', 'new', 87.50, '{"attendance": 1.50}',
        '{"final": 45.50}'
      from sections`.execute(db)
    await sql`insert into enrolment_changes (id, enrolment_id, at, by_id, what, before, after, version)
      select gen_random_uuid(), id, now(), ${adminId}, 'enrolled', '{}', '{"section": null}', 1 from enrolments`.execute(
      db,
    )
    await sql`insert into training_days (id, term_id, component, held_on, title, starts_at, hours, section_ids)
      select gen_random_uuid(), term_id, 'CWTS', '2026-08-15', 'A "b", {c}', '07:30', 3.25, array[id] from sections`.execute(
      db,
    )
    await sql`insert into attendance (day_id, student_id, state, ground, source, at, by_id)
      select id, ${first}, 'excused', 'medical', 'desk', now(), ${adminId} from training_days`.execute(db)
    await sql`insert into attendance_calls (id, day_id, student_id, state, minutes, source, at)
      select gen_random_uuid(), id, ${first}, 'late', 15, 'desk', now() from training_days`.execute(db)
    await sql`insert into student_requests (id, student_id, kind, asked_at, reason, day_id, ground)
      select gen_random_uuid(), ${first}, 'absence', now(), 'A "wedding"', id, 'family' from training_days`.execute(
      db,
    )
    await sql`insert into attendance_rules (term_id, component, absences, hours)
      select id, 'CWTS', 3, 60 from terms`.execute(db)
    await sql`insert into mark_schemes select id, 'CWTS', '{"parts": [1.50]}' from terms`.execute(db)
    await sql`insert into admin_sections select ${adminId}, id from sections`.execute(db)
    await sql`insert into credits (id, student_id, kind, level, component, ground, evidence, decided_by_id, decided_at)
      values (gen_random_uuid(), ${first}, 'credit', 1, 'LTS', 'transferee', 'Transcript, "seen"', ${adminId}, now())`.execute(
      db,
    )
    const [sent, corrected, base] = [createId(), createId(), createId()]
    await sql`insert into layout_bases
      values (${base}, 'ched-workbook', 'Región "3".xlsx', ${randomBytes(700_000)}, '[{"part": "a", "dates": [1.50]}]',
        array['macros', '1,836 old rows'], ${adminId}, now(), now())`.execute(db)
    await sql`insert into papers (id, layout, title, academic_year, components, created_at, created_by_id)
      values (${corrected}, 'ched-workbook', 'Señor "CHED"', '2026-2027', array['CWTS'], now(), ${adminId}),
        (${sent}, 'ched-workbook', 'CHED', '2026-2027', array['CWTS', 'LTS'], now(), ${adminId})`.execute(db)
    await sql`update papers set follows = ${sent} where id = ${corrected}`.execute(db)
    await sql`update papers set state = 'returned', base_id = ${base}, definition = '{"a": [1, null]}', counts = '{}', digest = 'd', frozen_at = now()
      where id = ${sent}`.execute(db)
    await sql`insert into paper_rows values (${sent}, 'graduates', 1, ${first}, '["Peña", "1.50", ""]', 'C-03-1-26'),
      (${sent}, 'graduates', 2, null, '["erased"]', '')`.execute(db)
    await sql`insert into paper_answers values (${corrected}, 'K13', ${first}, 'meant', 'a "name"', ${adminId}, now())`.execute(
      db,
    )
    await sql`insert into certificate_numbers values (2027, 12)`.execute(db)
    await sql`insert into certificates (id, number, code, kind, component, academic_year, student_id, content, issued_on,
        issued_by_id, issued_at, batch_id)
      values (gen_random_uuid(), 'NSTP-2027-000012', 'ABCDABCDABCD', 'completion', 'CWTS', '2026-2027', ${first},
        '{"serialNumber": "C-03-1-26", "signatories": []}', '2027-05-30', ${adminId}, now(), gen_random_uuid())`.execute(
      db,
    )
    await sql`insert into rejected_students
      select gen_random_uuid(), gen_random_uuid(), now(), to_jsonb(students), '{}'
      from students where id = ${first}`.execute(db)
  }

  // Rows in an order that breaks constraints while they are restored.
  async function fillContent(database: TestDatabase) {
    const { db } = database
    const attachment = { url: '/api/files/0.bin', name: 'Peña “memo”.pdf', type: 'application/pdf', size: 1 }
    await storeAnnouncements(database, [
      {
        attachment,
        expireAt: new Date('2027-01-01T00:00:00.123Z'),
        pinned: true,
      },
      { publishedAt: null },
    ])
    await storeSlides(database, [{}, {}, {}])
    await sql`update slides set position = 2 - position`.execute(db)
    const [root, child] = [createId(), createId()]
    await sql`insert into org_nodes (id, name, parent_id, position, created_at, updated_at)
    values (${root}, 'Director', null, 0, now(), now()), (${child}, 'Coordinator', ${root}, 0, now(), now())`.execute(
      db,
    )
    // A changed row is written behind the others: now the child comes first.
    await sql`update org_nodes set version = 2 where id = ${root}`.execute(db)
  }

  async function storeRecords(database: TestDatabase, count: number) {
    const audit = createAudit({ clock: systemClock })
    const odd = ['Peña "Ñ" \\ \'', 'line\nbreak\ttab', '{"a":1}', 'null', '🎓 e\u0301', '\u2028\u0001', ' ']
    for (let index = 0; index < count; index++) {
      const lastName = `${odd[index % odd.length]}${index}`
      const { id, reference } = await storeStudent(database, { lastName, skills: odd.join('\n') })
      await audit.record(database.db, {
        action: 'student-edited',
        actor: ownActor('system'),
        studentId: id,
        subject: reference,
        fields: ['lastName', 'skills'],
        detail: { from: 'the form', count: 3, isMany: false, nothing: null },
        values: { before: { lastName: 'Before', skills: null }, after: { lastName, skills: odd } },
      })
    }
    await audit.record(database.db, {
      action: 'student-archived',
      actor: ownActor('system'),
      studentIds: [createId(), createId()],
    })
  }

  describe('a backup', () => {
    test.each([
      ['plain', ['--unencrypted']],
      ['encrypted', []],
    ])(
      'that is %s brings back every row as it was, into an installation with other records',
      async (_, flags) => {
        await storeRecords(source, 25)
        await fillOtherTables(source)
        await fillContent(source)
        await storeMail(source)
        await sql`update students set registration_date = '2026-11-20 01:02:03.456789+00'`.execute(source.db)
        const target = await createTestDatabase()
        const before = await readAllRows(source)
        expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([])
        expect(await runBackup([file, ...flags], { env: envOf(source) })).toMatchObject({
          code: 0,
          output: expect.stringContaining('25 students'),
        })
        await storeStudent(target)

        expect(await runRestore([file, '--yes'], { env: envOf(target) })).toMatchObject({
          code: 0,
          errors: '',
        })
        const after = await readAllRows(target)
        const isRestoring = (line: string) => line.includes('"backup-restored"')
        expect(after.audit_events?.filter(isRestoring)).toHaveLength(1)
        // And the link of that entry.
        expect(after.audit_chain).toHaveLength((before.audit_chain?.length ?? 0) + 1)
        const added = ({ audit_events = [], audit_chain = [], ...others }: typeof after) => ({
          ...others,
          audit_events: audit_events.filter((line) => !isRestoring(line)),
          audit_chain: audit_chain.filter((line) => before.audit_chain?.includes(line)),
        })
        expect(added(after)).toEqual(added(before))
        await target.close()
      },
    )

    test('into an empty database creates everything that the migrations create', async () => {
      await storeRecords(source, 3)
      await runBackup([file], { env: envOf(source) })
      const { url, drop } = await createBareDatabase()
      // Nothing would be replaced: no confirmation is needed.
      expect(await runRestore([file], { env: envOf({ url }) })).toMatchObject({ code: 0, errors: '' })
      const again = join(folder.path, 'again.nstp')
      expect(await runBackup([again], { env: envOf({ url }) })).toMatchObject({ code: 0 })
      const counted = sql<{ n: number }>`
      select n from student_counts where grain = 'all' and facet = 'total' and n > 0`
      const objects = sql`
      select indexdef as name from pg_indexes where schemaname = 'public'
      union select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f'
      union select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
      order by 1`
      const target = await createTestDatabase()
      await runRestore([file, '--yes'], { env: envOf(target) })
      expect((await counted.execute(target.db)).rows).toEqual([{ n: 3 }])
      expect((await objects.execute(target.db)).rows).toEqual((await objects.execute(source.db)).rows)
      await target.close()
      await drop()
    })

    test('does not send mail that was unsent at the backup', async () => {
      const ended = ['sent', 'failed', 'unknown', 'cancelled'] as const
      for (const state of ended) await storeMessage(source, state)
      const { id: studentId } = await storeStudent(source)
      const ofRejected = buildStoredMessage({ studentId, state: 'queued' })
      await source.db.insertInto('mailMessages').values(ofRejected).execute()
      const rejectionId = createId()
      await createRejectionRepository(source.db).reject([studentId], {
        id: rejectionId,
        at: new Date(),
        actor: '',
      })
      const waiting = await storeMessage(source, 'queued')
      const underWay = await storeMessage(source, 'sending')
      await runBackup([file], { env: envOf(source) })
      expect((await runRestore([file, '--yes'], { env: envOf(source) })).code).toBe(0)
      await createRejectionRepository(source.db).restore(rejectionId, new Date(0))
      const rows = await source.db.selectFrom('mailMessages').select(['id', 'state', 'failure']).execute()
      expect(rows.map(({ state }) => state).sort()).toEqual(
        [...ended, 'cancelled', 'cancelled', 'unknown'].sort(),
      )
      expect(rows.find(({ id }) => id === ofRejected.id)).toMatchObject({ state: 'cancelled' })
      expect(rows.find(({ id }) => id === waiting)).toMatchObject({
        state: 'cancelled',
        failure:
          'This e-mail was waiting when the restored backup was made. It was cancelled because it may have been sent since then.',
      })
      expect(rows.find(({ id }) => id === underWay)).toMatchObject({
        state: 'unknown',
        failure:
          'This e-mail was being sent when the restored backup was made, so it may or may not have been delivered.',
      })
    })

    test('ends every session, removes known devices, and leaves passwords unchanged', async () => {
      const { sessionToken } = await auth.signIn()
      await runBackup([file], { env: envOf(source) })
      expect(await auth.auth.readAdmin(sessionToken)).not.toBeNull()
      expect((await runRestore([file, '--yes'], { env: envOf(source) })).code).toBe(0)
      expect(await auth.auth.readAdmin(sessionToken)).toBeNull()
      expect(await source.db.selectFrom('knownDevices').selectAll().execute()).toEqual([])
      await auth.signIn()
    })

    test('increments the versions that running processes check', async () => {
      await source.db.insertInto('topics').values({ name: 'students', version: 41 }).execute()
      await runBackup([file], { env: envOf(source) })
      await source.db.updateTable('topics').set({ version: 57 }).execute()
      await runRestore([file, '--yes'], { env: envOf(source) })
      const topics = await source.db.selectFrom('topics').selectAll().execute()
      expect(topics).toContainEqual({ name: 'students', version: '58' })
      expect(topics).toContainEqual({ name: 'session', version: '1' })
    })

    test('is one snapshot: concurrent writes are not partly in it', async () => {
      await storeRecords(source, 200)
      let isDone = false
      const writing = (async () => {
        while (!isDone) await storeRecords(source, 1)
      })()
      await runBackup([file], { env: envOf(source) })
      isDone = true
      await writing
      const target = await createTestDatabase()
      expect((await runRestore([file, '--yes'], { env: envOf(target) })).code).toBe(0)
      // Each record was written before its entry and each entry before its values.
      const { rows } = await sql<{ students: number; values: number }>`
      select (select count(*)::int from students) as students,
        (select count(*)::int from audit_values) as values`.execute(target.db)
      const { students = 0, values = 0 } = rows[0] ?? {}
      expect(students - values === 0 || students - values === 1).toBe(true)
      await target.close()
    })

    test('is recorded in the audit trail', async () => {
      await storeRecords(source, 2)
      await runBackup([file], { env: envOf(source) })
      expect(await createAuditTrail(source).of('backup-made')).toMatchObject([
        { actor: 'command line', detail: { begun: true, sealed: true } },
        { actor: 'command line', detail: { finished: true, sealed: true, students: 2 } },
      ])
    })
  })

  describe('the backup command', () => {
    test('writes one file that only its owner can read', async () => {
      await runBackup([file], { env: envOf(source) })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder.path)).toEqual(['all.nstp'])
    })

    test('never overwrites a file', async () => {
      writeFileSync(file, 'mine')
      const { code, errors } = await runBackup([file], { env: envOf(source) })
      expect(code).toBe(1)
      expect(errors).toBe(`${file} already exists. Name another file, or delete that one first.`)
      expect(readFileSync(file, 'utf8')).toBe('mine')
    })

    test('names no folder as its file', async () => {
      const { code, errors } = await runBackup([folder.path], { env: envOf(source) })
      expect([code, errors]).toEqual([1, `${folder.path} is a folder. Name a new file in it.`])
    })

    test('asks for the passphrase twice', async () => {
      const { BACKUP_PASSPHRASE: _, ...env } = envOf(source)
      const slip = await runBackup([file, '--encrypt'], {
        env,
        answers: [passphrase, 'a slip'],
      })
      expect(slip).toMatchObject({ code: 1, errors: 'The passphrases differ. No backup was made.' })
      const short = await runBackup([file, '--encrypt'], { env, answers: ['short'] })
      expect(short.errors).toBe('The passphrase must have at least 15 characters.')
      expect(existsSync(file)).toBe(false)
      const done = await runBackup([file, '--encrypt'], {
        env,
        answers: [passphrase, passphrase],
      })
      expect(done).toMatchObject({ code: 0, questions: ['Passphrase: ', 'Confirm passphrase: '] })
      expect(readFileSync(file).includes('students')).toBe(false)
    })

    test('generates a passphrase where none is set, and prints it once', async () => {
      const { BACKUP_PASSPHRASE: _, ...env } = envOf(source)
      const { code, output } = await runBackup([file], { env })
      expect(code).toBe(0)
      const [[generated] = [''], ...again] = output.matchAll(/(?:[a-z2-9]{4}-){3}[a-z2-9]{4}/g)
      expect(again).toEqual([])
      const other = { env: { ...env, BACKUP_PASSPHRASE: 'aaaa-bbbb-cccc-dddd' } }
      expect((await runRestore([file, '--yes'], other)).errors).toContain('Wrong passphrase.')
      const known = { env: { ...env, BACKUP_PASSPHRASE: generated } }
      expect(await runRestore([file, '--yes'], known)).toMatchObject({ code: 0, errors: '' })
    })

    test('writes a readable file only with --unencrypted, and warns of it', async () => {
      const { errors } = await runBackup([file, '--unencrypted'], { env: envOf(source) })
      expect(errors).toContain('The backup is not encrypted')
      expect(gunzipSync(readFileSync(file)).includes('"students"')).toBe(true)
    })

    test.each([
      [[], 2, 'Name the file to write.'],
      [['a', 'b'], 2, 'Unexpected argument: b.'],
      [['a', '--encrypt', '--unencrypted'], 2, 'Choose either --encrypt or --unencrypted.'],
      [['a', '--zip'], 2, "Unknown option '--zip'"],
      [['/nowhere/all.nstp'], 1, '/nowhere/all.nstp: There is no such file or folder.'],
    ])('answers %j with a sentence', async (args, code, sentence) => {
      const result = await runBackup(args, { env: envOf(source) })
      expect(result.code).toBe(code)
      expect(result.errors).toContain(sentence)
    })

    test('reports that there is nothing to back up', async () => {
      const { url, drop } = await createBareDatabase()
      const { errors } = await runBackup([file], { env: envOf({ url }) })
      expect(errors).toContain('NSTP Portal has not been started on this database.')
      await drop()
    })

    test('leaves nothing behind when it is interrupted', async () => {
      await storeRecords(source, 5)
      const interrupted = new AbortController()
      interrupted.abort()
      const { code } = await runBackup([file], { env: envOf(source), signal: interrupted.signal })
      expect(code).toBe(130)
      expect(readdirSync(folder.path)).toEqual([])
    })
  })
})
