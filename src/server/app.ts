import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import type { Logger } from 'pino'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { RegistrationDesk } from '#shared/registration.ts'
import { currentAcademicYear } from '#shared/settings.ts'
import { siteOf } from '#shared/site.ts'
import { createApi } from './api.ts'
import type { Clock } from './clock.ts'
import type { Notices } from './database/notices.ts'
import type { AppDatabase } from './database/pool.ts'
import { createCountKeeper } from './database/student-counts/keeper.ts'
import type { Env } from './env.ts'
import { AppError } from './errors.ts'
import { createAudit } from './features/audit/recorder.ts'
import { createRefusals } from './features/audit/refusals.ts'
import { createAuditService } from './features/audit/service.ts'
import { createAdministrators } from './features/auth/administrators.ts'
import { createDevicesService } from './features/auth/devices-service.ts'
import { createPasswordProof } from './features/auth/password-proof.ts'
import { createPasswordService } from './features/auth/password-service.ts'
import { createPasswords } from './features/auth/passwords.ts'
import { createSecondFactorCheck } from './features/auth/second-factor-check.ts'
import { createSecondFactorService } from './features/auth/second-factor-service.ts'
import { createAuthService } from './features/auth/service.ts'
import { readToken } from './features/auth/session-cookie.ts'
import { createSessionCookies } from './features/auth/session-cookies.ts'
import { createLastBackupRepository } from './features/backup/repository.ts'
import { createBackupService } from './features/backup/service.ts'
import { createSnapshotRepository } from './features/backup/snapshot-repository.ts'
import { createDashboardRepository } from './features/dashboard/repository.ts'
import { createDashboardService } from './features/dashboard/service.ts'
import { createFilesRepository } from './features/files/repository.ts'
import { createFilesService } from './features/files/service.ts'
import { createImportsService } from './features/imports/service.ts'
import { loadPlaces } from './features/places/postal-codes.ts'
import { createPlacesService } from './features/places/service.ts'
import { createReceiptCookies } from './features/registration/receipt-cookie.ts'
import { createReference } from './features/registration/reference.ts'
import { createRegistrationRepository } from './features/registration/repository.ts'
import { createRegistrationService } from './features/registration/service.ts'
import { createRetentionService } from './features/retention/service.ts'
import { createSettingsService } from './features/settings/service.ts'
import { createStatisticsRepository } from './features/statistics/repository.ts'
import { createStatisticsService } from './features/statistics/service.ts'
import { createStudentBulkChanges } from './features/students/bulk-service.ts'
import { createStudentChanges } from './features/students/change-service.ts'
import { createDuplicatesRepository } from './features/students/duplicates-repository.ts'
import { createDuplicates } from './features/students/duplicates-service.ts'
import { createStudentPrints } from './features/students/print-service.ts'
import { createStudentsRepository } from './features/students/repository.ts'
import { createStudentsService } from './features/students/service.ts'
import { createUnseenRepository } from './features/students/unseen-repository.ts'
import { createUnseenStudents } from './features/students/unseen-service.ts'
import { accessRefusals } from './http/access-refusals.ts'
import { bodyLimits } from './http/body-limits.ts'
import { clientAddress } from './http/client-address.ts'
import { compressExceptChanges } from './http/compress-except-changes.ts'
import type { AppEnv } from './http/context.ts'
import { deadline } from './http/deadline.ts'
import { limitBody } from './http/limit-body.ts'
import { describeApi } from './http/openapi.ts'
import { handleError } from './http/problem.ts'
import { rateLimit, rateLimits } from './http/rate-limits.ts'
import { requestLog } from './http/request-log.ts'
import { sameOrigin } from './http/same-origin.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { createStaticFiles } from './http/static-files.ts'
import type { Pages } from './pages.ts'
import { createSealedSecrets } from './sealed-secret.ts'
import { fingerprintOf } from './secret-key.ts'
import { productVersion } from './version.ts'

interface AppOptions {
  env: Env
  database: AppDatabase
  notices: Notices
  log: Logger
  clock: Clock
  /** Signs receipts and encrypts stored secrets. */
  secretKey: Buffer
  /** Aborts when the server stops. */
  closing: AbortSignal
  /** The server-rendered pages and the folder of their files; absent where only the API is served. */
  pages?: { render: Pages; files: string | null }
}

/** The only wiring: services from repositories, routes from services, the middleware around them, pages last. */
export function createApp(options: AppOptions) {
  const { env, database, notices, log, clock, closing, secretKey, pages } = options
  const { publish } = notices
  const isHttps = env.PUBLIC_URL?.startsWith('https://') ?? false
  const trustProxy = env.TRUST_PROXY === 'on'

  const audit = createAudit({ clock })
  const files = createFilesService({ repository: createFilesRepository(database.db), clock })
  const settings = createSettingsService({ database, notices, clock, audit, log, closing })
  const refusals = createRefusals({ audit, database, clock, log })
  const noteRefusal = refusals.note
  const passwords = createPasswords()
  const secrets = createSealedSecrets({ secretKey, purpose: 'two-factor sign-in' })
  const proof = createPasswordProof({ database, passwords, clock, noteRefusal })
  const cookies = createSessionCookies({ publicUrl: env.PUBLIC_URL, trustProxy })
  const auth = createAuthService({
    database,
    passwords,
    clock,
    publish,
    defaultEmail: env.ADMIN_EMAIL,
    audit,
    noteRefusal,
    secondFactor: createSecondFactorCheck({ secrets, log }),
  })
  const administrators = createAdministrators({ database, passwords, clock, publish, audit })
  const trail = createAuditService({
    database,
    audit,
    clock,
    timeZone: env.TZ_PROGRAM,
    retentionMonths: () => settings.current().auditRetentionMonths,
  })
  const registrations = createRegistrationService({
    repository: createRegistrationRepository(database.pool),
    clock,
    publish,
    closed: () => siteOf(settings.current()).maintenance,
  })

  const counts = createCountKeeper({ database, timeZone: env.TZ_PROGRAM, notices, log })
  const studentsRepository = createStudentsRepository(database, env.TZ_PROGRAM)
  const imports = createImportsService({
    database,
    audit,
    clock,
    publish,
    log,
    closing,
    timeZone: env.TZ_PROGRAM,
    offer: settings.current,
    createReference,
  })

  const api = createApi({
    health: { checkDatabase: database.check },
    events: { notices, closing },
    session: { auth, cookies },
    password: {
      service: createPasswordService({
        database,
        passwords,
        proof,
        clock,
        publish,
        audit,
        ownWords: () => [settings.current().systemName, settings.current().schoolName],
      }),
      cookies,
    },
    devices: { service: createDevicesService({ database, clock, publish, audit }), cookies },
    secondFactor: {
      service: createSecondFactorService({
        database,
        proof,
        secrets,
        clock,
        publish,
        audit,
        systemName: () => settings.current().systemName,
      }),
      cookies,
    },
    registration: {
      service: registrations,
      receipts: createReceiptCookies({ secretKey, isHttps, clock }),
      offer: registrationDesk,
    },
    places: { service: createPlacesService({ load: loadPlaces }) },
    students: {
      students: createStudentsService({
        database,
        repository: studentsRepository,
        duplicates: createDuplicatesRepository(database.db),
        clock,
        timeZone: env.TZ_PROGRAM,
        semesters: () => settings.current().semesters,
        audit,
      }),
      changes: createStudentChanges({
        database,
        clock,
        publish,
        audit,
        courses: () => settings.current().courses,
      }),
      bulk: createStudentBulkChanges({ database, clock, publish, audit }),
      duplicates: createDuplicates({ database, clock, publish, audit }),
      unseen: createUnseenStudents({ repository: createUnseenRepository(database.db), clock }),
      prints: createStudentPrints({ database, repository: studentsRepository, audit }),
    },
    dashboard: {
      dashboard: createDashboardService({
        repository: createDashboardRepository(database, env.TZ_PROGRAM),
        clock,
      }),
    },
    statistics: {
      statistics: createStatisticsService({
        repository: createStatisticsRepository(database),
        database,
        audit,
        clock,
        timeZone: env.TZ_PROGRAM,
        semesters: () => settings.current().semesters,
      }),
    },
    backup: {
      backups: createBackupService({
        snapshots: createSnapshotRepository(database),
        history: createLastBackupRepository(database.db),
        db: database.db,
        audit,
        clock,
        log,
        timeZone: env.TZ_PROGRAM,
        secretKey: fingerprintOf(secretKey),
      }),
    },
    audit: { trail },
    imports: { imports },
    settings: { settings, files },
    files: { files },
    retention: {
      retention: createRetentionService({
        database,
        clock,
        audit,
        publish,
        years: () => settings.current().recordRetentionYears,
      }),
    },
  })
  describeApi(api, { version: productVersion })

  const app = new Hono<AppEnv>()
  app.onError(handleError)
  app.use(requestId(), clientAddress({ trustProxy }), requestLog(log), securityHeaders({ isHttps }))
  if (pages?.files) app.route('/', createStaticFiles(pages.files))
  if (env.RATE_LIMITS === 'on') {
    app.use(rateLimit(rateLimits.everything))
    app.post('/api/registrations', rateLimit(rateLimits.registration))
    app.post('/api/session', rateLimit(rateLimits.signIn))
  }
  app.use(compressExceptChanges())
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', sameOrigin({ publicUrl: env.PUBLIC_URL, trustProxy }))
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', limitBody(bodyLimits))
  app.use(deadline())
  app.use(
    session({
      readToken: (cookies) => readToken('session', cookies, isHttps),
      readAdmin: auth.readAdmin,
    }),
    accessRefusals(noteRefusal),
  )
  app.route('/api', api)
  app.all('/api/*', () => {
    throw new AppError('not_found')
  })
  if (pages) {
    app.all('*', (c) =>
      pages.render(c, {
        fetchApi: fetchInProcess(c.env, c.var.requestId),
        site: siteOf(settings.current()),
        desk: registrationDesk,
      }),
    )
  }
  return {
    fetch: app.fetch,
    administrators,
    /** Reads what requests rely on. Before the port opens. */
    async load() {
      await Promise.all([settings.load(), counts.start()])
    },
    /** Writes what waits in memory; to be called when no request is under way any more. */
    async close() {
      await Promise.all([refusals.close(), counts.close()])
    },
    /** Clears away what has outlived its use; the process calls it now and then. */
    sweep: () =>
      Promise.all([
        auth.forgetEnded(),
        trail.expire(),
        imports.expire(),
        imports.resume(),
        counts.sweep(),
        sweepFiles(),
      ]),
  }

  function sweepFiles() {
    const { logo } = settings.current()
    return files.sweep(logo ? [logo.url] : [])
  }

  function registrationDesk(): RegistrationDesk {
    const known = settings.current()
    const { courses, academicYears } = known
    const today = calendarDateOf(clock(), env.TZ_PROGRAM)
    return {
      today,
      courses,
      academicYears,
      currentAcademicYear: currentAcademicYear(known, today),
      closed: siteOf(known).maintenance,
    }
  }

  /** The pages' way to the API: the same door as the network's, in the same process. */
  function fetchInProcess(bindings: AppEnv['Bindings'], id: string): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init)
      request.headers.set('X-Request-Id', id)
      return app.fetch(request, bindings)
    }
  }
}
