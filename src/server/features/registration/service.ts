import { createHash } from 'node:crypto'
import { v7 as createId } from 'uuid'
import type { Welcomed, WelcomeMailService } from '#server/features/mail/student-mail-service.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { problemSentences } from '#shared/problem.ts'
import { consentVersion } from '#shared/registration/consent.ts'
import type { Registration, RegistrationReceipt } from '#shared/registration/registration.ts'
import type { Topic } from '#shared/topics.ts'
import { createReference } from './reference.ts'
import type { EarlierRegistration, NewStudent, RegistrationRepository, SubmissionKey } from './repository.ts'

/** A reference is taken once in 10¹¹ times; several times in a row means that something else is wrong. */
const mostAttempts = 5

interface RegistrationServiceOptions {
  repository: RegistrationRepository
  clock: Clock
  publish: (topic: Topic) => void
  /** Why registration is closed, null while it is open; asked each time, because settings may change it. */
  closed: () => string | null
  welcomes: Pick<WelcomeMailService, 'prepare' | 'handOver' | 'answer'>
  /** Makes the references; random unless a test wants them otherwise. */
  createReference?: () => string
}

type StoredRegistration = Omit<EarlierRegistration, 'requestHash'>

export type RegistrationService = ReturnType<typeof createRegistrationService>

/** Takes registrations. */
export function createRegistrationService(options: RegistrationServiceOptions) {
  const { repository, clock, publish, closed, welcomes } = options
  const nextReference = options.createReference ?? createReference

  /** Registered before the doors closed, perhaps, and only the answer was lost. */
  async function answerWhileClosed(
    reason: string,
    { email }: Registration,
    submission: SubmissionKey | undefined,
  ) {
    const earlier = submission && (await repository.findByKey(submission.key))
    if (!earlier) throw new AppError('unavailable', { detail: reason })
    return await repeatAnswer(earlier, submission.requestHash, email)
  }

  async function store(registration: Registration, submission: SubmissionKey | undefined) {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const student = {
        id: createId(),
        reference: nextReference(),
        registrationDate: clock(),
        consentVersion,
        registration,
      }
      const outcome = await repository.store(student, submission, welcomes.prepare(welcomedOf(student)))
      if (outcome.end === 'stored') {
        return await announce({ ...student, welcomeId: outcome.welcomeId }, registration.email)
      }
      if (outcome.end === 'key taken' && submission) {
        const earlier = await repository.findByKey(submission.key)
        if (earlier) return await repeatAnswer(earlier, submission.requestHash, registration.email)
        // Erased between the two statements: the key is free again.
      }
    }
    throw new AppError('unavailable', { detail: problemSentences.unavailable })
  }

  /** After the commit. */
  async function announce(student: StoredRegistration, email: string): Promise<RegistrationReceipt> {
    publish('students')
    if (student.welcomeId !== null) welcomes.handOver()
    return await receiptOf(student, email)
  }

  async function repeatAnswer(
    earlier: EarlierRegistration,
    requestHash: string,
    email: string,
  ): Promise<RegistrationReceipt> {
    if (earlier.requestHash === requestHash) return await receiptOf(earlier, email)
    throw new AppError('conflict', {
      detail:
        `Your first submission was received under the reference ${earlier.reference}. ` +
        'To correct it, please contact the NSTP office and quote this reference.',
    })
  }

  async function receiptOf(
    { id, reference, registrationDate, welcomeId }: StoredRegistration,
    email: string,
  ): Promise<RegistrationReceipt> {
    const mail = await welcomes.answer(welcomeId, email)
    return { id, reference, registrationDate: registrationDate.toISOString(), ...mail }
  }

  return {
    /**
     * Registers a student. Sent again with the same key it gives the first answer again and stores nothing.
     *
     * @param key tells one sending of the form from the next; without it every call makes a record
     * @throws AppError `conflict` when the key belongs to a registration of other content, `unavailable` with
     *   the office's sentence while registration is closed
     */
    async register(registration: Registration, key?: string): Promise<RegistrationReceipt> {
      const submission = key === undefined ? undefined : { key, requestHash: hashOf(registration) }
      const reason = closed()
      return await (reason === null
        ? store(registration, submission)
        : answerWhileClosed(reason, registration, submission))
    },
  }
}

function welcomedOf({ id, reference, registration }: NewStudent): Welcomed {
  const { email, firstName, lastName, nstpComponent } = registration
  return { email, values: { firstName, lastName, nstpComponent, reference }, student: { id, reference } }
}

/** The validated content always has its members in form order, so its JSON is the same for the same answers. */
function hashOf(registration: Registration): string {
  return createHash('sha256').update(JSON.stringify(registration)).digest('base64url')
}
