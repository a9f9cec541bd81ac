import { v7 as createId } from 'uuid'
import { codeOf } from '#server/database/errors.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { WelcomeMailService, WelcomeRecipient } from '#server/features/mail/welcome-service.ts'
import type { SettingsService } from '#server/features/settings/service.ts'
import { keepTypedSerial } from '#server/features/students/serial-number-service.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createCachedValue } from '#server/lib/cached-value.ts'
import type { Clock } from '#server/lib/clock.ts'
import { codeAlphabet } from '#server/lib/code.ts'
import { deriveKey, signatureOf } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mustBeSame, type Submission, submissionOf } from '#server/lib/idempotency.ts'
import { writtenSerial } from '#shared/papers/serial-checks.ts'
import { problemSentences } from '#shared/problem.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { consentVersion } from '#shared/registration/consent.ts'
import {
  fullSentence,
  type Registration,
  type RegistrationReceipt,
} from '#shared/registration/registration.ts'
import type { Language } from '#shared/site/language.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import type { Topic } from '#shared/topics.ts'
import {
  createReference,
  createRegistrationRepository,
  type EarlierRegistration,
  type NewStudent,
  type Quotas,
  readQuotaUse,
  type StoreOutcome,
} from './repository.ts'

/** Shown by the office to those who may enlist today. Computed, so every process knows it and nothing is stored. */
export function createDayCode({
  secretKey,
  clock,
  timeZone,
}: Pick<AppContext, 'secretKey' | 'clock' | 'timeZone'>) {
  const key = deriveKey(secretKey, 'code of the day')
  return () => {
    const bytes = signatureOf(key, calendarDateOf(clock(), timeZone)).subarray(0, 6)
    return Array.from(bytes, (byte) => codeAlphabet.charAt(byte % codeAlphabet.length)).join('')
  }
}

const maxAttempts = 5

export interface RegistrationServiceOptions {
  database: Pick<AppDatabase, 'pool' | 'queryPrepared' | 'transact'>
  clock: Clock
  log: Pick<AppContext['log'], 'warn'>
  publish: (topic: Topic) => void
  // Read at each call, because settings may change.
  closed: () => string | null
  quotas: () => Quotas
  welcomes: Pick<WelcomeMailService, 'prepare' | 'handOver' | 'answer'>
  createReference?: () => string
}

interface Origin {
  language?: Language | undefined
  network?: string | null
  /** The reference that the sender's browser has from the last hour. */
  receipt?: string | undefined
}

type StoredRegistration = Omit<EarlierRegistration, 'submissionHash' | 'email'>

export function createRegistrationService(options: RegistrationServiceOptions) {
  const { database, clock, log, publish, closed, welcomes } = options
  const repository = createRegistrationRepository(database, options.quotas)
  const nextReference = options.createReference ?? createReference

  async function answerWhileClosed(
    reason: string,
    { email }: Registration,
    submission: Submission | null,
    { receipt }: Origin,
  ) {
    const earlier = submission && (await repository.findByKey(submission.submissionKey))
    if (!earlier) throw new AppError('unavailable', reason)
    return await repeatAnswer(earlier, submission, { email, receipt })
  }

  async function store(
    registration: Registration,
    submission: Submission | null,
    { language, network = null, receipt }: Origin,
  ) {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const student = {
        id: createId(),
        reference: nextReference(),
        registrationDate: clock(),
        consentVersion,
        network,
        registration: { ...registration, serialNumber: '' },
      }
      const welcome = welcomes.prepare(welcomedOf(student, language))
      const outcome = await repository.store({ student, submission, welcome })
      if (outcome.end === 'stored') {
        await keepSerial(student.id, registration)
        return await announce({ ...student, welcomeId: outcome.welcomeId }, registration.email)
      }
      mustHavePlace(outcome, registration)
      if (outcome.end === 'key taken' && submission) {
        const earlier = await repository.findByKey(submission.submissionKey)
        if (earlier) return await repeatAnswer(earlier, submission, { email: registration.email, receipt })
        // Erased between the two statements: the key is free again.
      }
    }
    throw new AppError('unavailable', problemSentences.unavailable)
  }

  /** Runs after the enlistment is stored: that never waits for a list of numbers, and isn't lost with a number. */
  async function keepSerial(id: string, registration: Registration): Promise<void> {
    const { serialNumber, nstpComponent, lastName, firstName, middleName, extensionName } = registration
    if (serialNumber === '') return
    const component = isComponent(nstpComponent) ? nstpComponent : ''
    const person = { id, component, lastName, firstName, middleName, extensionName } as const
    await database
      .transact((tx) => keepTypedSerial(tx, { ...person, serialNumber: writtenSerial(serialNumber) }))
      .catch((error: unknown) => log.warn({ code: codeOf(error) }, 'a typed serial number was not kept'))
  }

  async function announce(student: StoredRegistration, email: string): Promise<RegistrationReceipt> {
    publish('students')
    if (student.welcomeId !== null) welcomes.handOver()
    return await receiptOf(student, email)
  }

  async function repeatAnswer(
    earlier: EarlierRegistration,
    { submissionHash }: Submission,
    { email, receipt }: { email: string; receipt: string | undefined },
  ): Promise<RegistrationReceipt> {
    // Whoever only knows the key isn't told the reference.
    const isSender = receipt === earlier.reference || email === earlier.email
    mustBeSame(earlier.submissionHash === submissionHash, isSender ? receivedAs(earlier.reference) : received)
    return await receiptOf(earlier, email)
  }

  async function receiptOf(
    { id, reference, registrationDate, welcomeId }: StoredRegistration,
    email: string,
  ): Promise<RegistrationReceipt> {
    const mail = await welcomes.answer(welcomeId, email)
    return { id, reference, registrationDate: registrationDate.toISOString(), ...mail }
  }

  return {
    /** The same key returns the first answer and stores nothing. */
    async register(
      registration: Registration,
      key?: string,
      origin: Origin = {},
    ): Promise<RegistrationReceipt> {
      const submission = submissionOf(key, submittedContent(registration))
      const reason = closed()
      return await (reason === null
        ? store(registration, submission, origin)
        : answerWhileClosed(reason, registration, submission, origin))
    },
  }
}

const receivedAs = (reference: string) =>
  `Your first submission was received under the reference ${reference}. To correct it, open My NSTP (/my) with this reference and your birth date.`

const received =
  'An enlistment was already received from this form. To correct it, open My NSTP (/my). To enlist someone else, start a new form.'

function mustHavePlace({ end }: StoreOutcome, registration: Registration): void {
  if (end === 'full') throw invalid('nstpComponent', fullSentence(registration))
}

/** How full the components are, for the form and the dashboard. The statement that stores a record decides. */
export function createQuotaUse(
  { database, notices, log, closing }: Pick<AppContext, 'database' | 'notices' | 'log' | 'closing'>,
  settings: Pick<SettingsService, 'current' | 'onChange'>,
) {
  const listeners = new Set<() => void>()
  const quotaUse = createCachedValue({
    topic: 'students',
    read: async () => {
      const all = await readQuotaUse(database.db, settings.current().quotas)
      return { all, full: all.filter(({ count, quota }) => count >= quota) }
    },
    notices,
    log,
    closing,
    onChange({ full }, before) {
      if (before && namesOf(full) !== namesOf(before.full)) for (const listener of listeners) listener()
    },
  })
  const reload = () =>
    quotaUse.load().catch((error: unknown) => log.warn({ code: codeOf(error) }, 'quotas not counted'))
  settings.onChange(() => void reload())
  return {
    ...quotaUse,
    /** Called when a component has no place any more, or has one again. */
    onFull: (listener: () => void) => void listeners.add(listener),
  }
}

function namesOf(full: readonly { component: string; academicYear: string }[]): string {
  return full.map(({ component, academicYear }) => `${component} ${academicYear}`).join()
}

export type QuotaUse = Awaited<ReturnType<typeof readQuotaUse>>

function welcomedOf(
  { id, reference, registration }: NewStudent,
  language: Language | undefined,
): WelcomeRecipient {
  const { email, firstName, lastName, nstpComponent } = registration
  const values = { firstName, lastName, nstpComponent, reference, ...(language === 'fil' && { language }) }
  return { email, values, student: { id, reference } }
}

const fieldsOfLaterRelease: readonly string[] = ['extensionName', 'barangay', 'province', 'program']

/** Leaves out later fields that are empty: a form sent before an upgrade and again after it has the same hash. */
function submittedContent(registration: Registration): object {
  const isSubmitted = ([field, value]: [string, unknown]) =>
    value !== '' || !fieldsOfLaterRelease.includes(field)
  return Object.fromEntries(Object.entries(registration).filter(isSubmitted))
}
