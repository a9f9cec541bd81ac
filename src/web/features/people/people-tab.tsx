import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck, KeyRound, LogOut, Pencil, ShieldOff, UserRoundPlus, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { roleNames } from '#shared/people/permissions.ts'
import type { Person } from '#shared/people/person.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ActionsCell, RowHead, StackedCell, StackedRow, StackedTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { type MenuEntry, RowMenu } from '#web/components/menu.tsx'
import { ModalFoot, ModalOf } from '#web/components/modal.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import type { AdministratorFrame } from '#web/lib/administrator.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useAction } from '#web/lib/query.ts'
import { dateOf, relativeTime, timeLeft, useNow } from '#web/lib/relative-time.ts'
import { newPerson, peopleAddress, readPeople } from './data.ts'
import { componentsText, FirstPassword, PersonPanel } from './person-panel.tsx'

export function PeopleTab() {
  const query = useQuery({
    queryKey: ['people'],
    // Sign-ins, and until when a second factor is needed.
    meta: { topics: ['session', 'settings'] },
    queryFn: ({ signal }) => readPeople(signal),
  })
  const { person: opened } = peopleAddress.read(useLocation().search)
  const form = useFormAddress(opened !== null)
  const ownEmail = useRouteLoaderData<Pick<AdministratorFrame, 'user'>>('pages/admin')?.user.email
  const own = query.data?.find(({ email }) => email === ownEmail)
  const open = (id: string) => form.open(peopleAddress.to({ person: id }))
  const isAlone = query.data?.length === 1
  const add = (
    <Button size="sm" icon={UserRoundPlus} onClick={() => open(newPerson)}>
      Add a person
    </Button>
  )
  return (
    <TabFrame query={query} failure="Failed to load the people">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-2xl font-bold tracking-tight">People</h1>
          {query.data && !isAlone && add}
        </div>
        <Loaded query={query} what="the people" lines={4} className="h-14">
          {(people) =>
            isAlone ? (
              <EmptyState icon={Users} title="Add people instead of sharing your password." action={add}>
                Each signs in with their own account and sees only what the work needs.
              </EmptyState>
            ) : (
              <PeopleTable people={people} own={own} onEdit={open} />
            )
          }
        </Loaded>
        <PersonPanel
          opened={opened}
          people={query.data}
          own={own}
          onClose={() => form.close(peopleAddress.to({}))}
        />
      </div>
    </TabFrame>
  )
}

const heads = ['Role', 'Components', 'Ends', 'Last sign-in', 'Two-factor'] as const

interface PeopleTableProps {
  people: readonly Person[]
  own: Person | undefined
  onEdit: (id: string) => void
}

function PeopleTable({ people, own, onEdit }: PeopleTableProps) {
  const [asked, setAsked] = useState<{ question: Question; person: Person } | null>(null)
  const [renewed, setRenewed] = useState<Person | null>(null)
  const acting = useAction({
    topics: ['people'],
    mutationFn: ({ act, person }: { act: Act; person: Person }) => acts[act].send(person),
    onSuccess(_, { act, person }) {
      showToast({ type: 'success', message: acts[act].done(person) })
      setAsked(null)
    },
    onError(error) {
      if (asked === null) showToast({ type: 'error', message: sentenceOf(error) })
    },
  })

  function entriesOf(person: Person): MenuEntry[] {
    const edit = { label: 'Edit', icon: Pencil, onSelect: () => onEdit(person.id) }
    if (person.id === own?.id) return [edit]
    const ask = (question: Question) => () => setAsked({ question, person })
    const reset = {
      label: 'Reset two-factor sign-in',
      icon: ShieldOff,
      disabled: !person.hasSecondFactor,
      onSelect: ask('reset'),
    }
    return [
      edit,
      { label: 'New password', icon: KeyRound, onSelect: () => setRenewed(person) },
      reset,
      {
        label: 'Sign out everywhere',
        icon: LogOut,
        onSelect: () => acting.run({ act: 'signOut', person }),
      },
      person.disabledAt === null
        ? { label: 'Disable', icon: Ban, danger: true, onSelect: ask('disable') }
        : { label: 'Enable', icon: CircleCheck, onSelect: () => acting.run({ act: 'enable', person }) },
    ]
  }

  return (
    <>
      <StackedTable caption="People with an account" heads={['Name', ...heads]} actions="w-12">
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            isOwn={person.id === own?.id}
            entries={entriesOf(person)}
          />
        ))}
      </StackedTable>
      <QuestionModal
        title={asked ? questions[asked.question].title : ''}
        thing={asked}
        action={acting}
        words={({ question }) => questions[question]}
        onConfirm={({ question, person }) => acting.run({ act: question, person })}
        onClose={() => setAsked(null)}
      >
        {({ question, person }) => (
          <p>
            <strong className="wrap-anywhere">{person.displayName}</strong> {questions[question].text}
          </p>
        )}
      </QuestionModal>
      <ModalOf thing={renewed} onClose={() => setRenewed(null)} title="New password" size="sm">
        {(person) => <NewPassword person={person} onClose={() => setRenewed(null)} />}
      </ModalOf>
    </>
  )
}

const setDisabled = (
  { id, version, displayName, role, components, expiresOn }: Person,
  isDisabled: boolean,
) =>
  callApi(
    api.people[':id'].$patch({
      param: { id },
      header: { 'if-match': `"${version}"` },
      json: { displayName, role, components, expiresOn, isDisabled },
    }),
  )

const acts = {
  disable: {
    send: (person: Person): Promise<unknown> => setDisabled(person, true),
    done: ({ displayName }: Person) => `${displayName} can no longer sign in`,
  },
  enable: {
    send: (person: Person): Promise<unknown> => setDisabled(person, false),
    done: ({ displayName }: Person) => `The account of ${displayName} is enabled`,
  },
  reset: {
    send: ({ id }: Person): Promise<unknown> =>
      callApi(api.people[':id']['second-factor-reset'].$post({ param: { id } })),
    done: ({ displayName }: Person) => `Two-factor sign-in of ${displayName} was reset`,
  },
  signOut: {
    send: ({ id }: Person): Promise<unknown> =>
      callApi(api.people[':id']['sign-out'].$post({ param: { id } })),
    done: ({ displayName }: Person) => `${displayName} was signed out everywhere`,
  },
}

type Act = keyof typeof acts

const questions = {
  disable: {
    title: 'Disable this account?',
    text: 'is signed out at once and can’t sign in until you enable the account. Everything they did stays.',
    confirm: 'Disable',
    busy: 'Disabling…',
  },
  reset: {
    title: 'Reset two-factor sign-in?',
    text:
      'is signed out, and then signs in with the password alone until two-factor sign-in is set up again. ' +
      'Make sure that they asked for it themselves.',
    confirm: 'Reset',
    busy: 'Resetting…',
  },
}

type Question = keyof typeof questions

interface PersonRowProps {
  person: Person
  isOwn: boolean
  entries: readonly MenuEntry[]
}

function PersonRow({ person, isOwn, entries }: PersonRowProps) {
  const { displayName, email, role, components, lastSignInAt, mustChangePassword } = person
  const { momentOf } = useInstantTexts()
  const now = useNow(person)
  const facts: Record<(typeof heads)[number], ReactNode> = {
    Role: roleNames[role],
    Components: componentsText(components),
    Ends: <End person={person} now={now} />,
    'Last sign-in':
      lastSignInAt === null ? (
        'Never'
      ) : (
        <time dateTime={lastSignInAt} title={momentOf(lastSignInAt)}>
          {relativeTime(lastSignInAt, now)}
        </time>
      ),
    'Two-factor': secondFactorText(person, now),
  }
  return (
    <StackedRow className="max-md:relative">
      <RowHead className="font-normal max-md:pr-14 md:min-w-48">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-semibold wrap-anywhere">{displayName}</span>
          {isOwn && <Badge tone="info">You</Badge>}
          {mustChangePassword && <Badge>First password</Badge>}
        </span>
        <span className="wrap-anywhere text-muted">
          <AddressText text={email} />
        </span>
      </RowHead>
      {heads.map((head) => (
        <StackedCell key={head} head={head}>
          {facts[head]}
        </StackedCell>
      ))}
      <ActionsCell>
        <RowMenu of={displayName} entries={entries} />
      </ActionsCell>
    </StackedRow>
  )
}

function End({ person: { disabledAt, expiresOn }, now }: { person: Person; now: Date }) {
  const today = calendarDateOf(now, useProgramTimeZone())
  if (disabledAt !== null) return <Badge tone="danger">Disabled</Badge>
  if (expiresOn === null) return '–'
  return expiresOn < today ? <Badge tone="danger">{`Ended ${dateOf(expiresOn)}`}</Badge> : dateOf(expiresOn)
}

function secondFactorText({ hasSecondFactor, secondFactorDue }: Person, now: Date): string {
  if (hasSecondFactor) return 'On'
  if (secondFactorDue === null) return 'Off'
  const left = timeLeft(secondFactorDue, now)
  return left === null ? 'Off, required' : `Off, required in ${left}`
}

function NewPassword({
  person: { id, version, displayName },
  onClose,
}: {
  person: Person
  onClose: () => void
}) {
  const making = useAction({
    topics: ['people'],
    mutationFn: () =>
      callApi(api.people[':id'].password.$post({ param: { id }, header: { 'if-match': `"${version}"` } })),
  })
  if (making.data) {
    return <FirstPassword name={displayName} password={making.data.password} onDone={onClose} />
  }
  return (
    <div className="grid gap-4">
      <p>
        <strong className="wrap-anywhere">{displayName}</strong> is signed out everywhere and signs in with
        the new password. Make sure that they asked for it themselves.
      </p>
      {making.error && <ErrorBanner message={sentenceOf(making.error)} />}
      <ModalFoot>
        <SmallButton onClick={onClose}>Cancel</SmallButton>
        <Button size="sm" aria-disabled={making.isPending} onClick={() => making.run()}>
          {making.isPending ? 'Creating…' : 'Create password'}
        </Button>
      </ModalFoot>
    </div>
  )
}
