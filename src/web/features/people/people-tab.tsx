import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck, KeyRound, LogOut, Pencil, ShieldOff, UserRoundPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { roleNames } from '#shared/people/permissions.ts'
import type { Person } from '#shared/people/person.ts'
import { personMessages } from '#shared/people/person.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { type MenuEntry, RowMenu } from '#web/components/menu.tsx'
import { ModalFoot, ModalOf } from '#web/components/modal.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import type { AdministratorFrame } from '#web/lib/administrator.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts, useToday } from '#web/lib/date-texts.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { dateOf, relativeTime, timeLeft, useNow } from '#web/lib/relative-time.ts'
import { namesOf, newPerson, type OpenTerm, peopleAddress, readPeople } from './data.ts'
import { componentsText, FirstPassword, PersonForm } from './person-form.tsx'

// The form of a new person opens at once, so that its first field has the focus.
const unreadTerm: OpenTerm = { termEndsOn: null, sections: [] }

export function PeopleTab() {
  const { sectionName } = useLevelNames()
  const query = useQuery({
    queryKey: ['people'],
    // The list has sign-ins, the day by which a second factor is needed, and the sections of the open term.
    meta: { topics: ['session', 'settings', 'terms'] },
    queryFn: ({ signal }) => readPeople(signal),
    select: ({ items, termEndsOn, sections }) => ({
      items,
      term: { termEndsOn, sections: sections.map((one) => ({ id: one.id, name: sectionName(one) })) },
    }),
  })
  const { person: opened } = peopleAddress.read(useLocation().search)
  const form = useFormAddress(opened !== null)
  const ownEmail = useRouteLoaderData<Pick<AdministratorFrame, 'user'>>('pages/admin')?.user.email
  const ownAccount = query.data?.items.find(({ email }) => email === ownEmail)
  const open = (id: string) => form.open(peopleAddress.to({ person: id }))
  const close = () => form.close(peopleAddress.to({}))
  const isAlone = query.data?.items.length === 1
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
          {({ items, term }) =>
            isAlone ? (
              <EmptyState icon={Users} title="Add people instead of sharing your password." action={add}>
                Each signs in with their own account and sees only what the work needs.
              </EmptyState>
            ) : (
              <PeopleTable people={items} term={term} ownAccount={ownAccount} onEdit={open} />
            )
          }
        </Loaded>
        <ModalOf
          thing={opened}
          onClose={close}
          size="side"
          title={(id) => (id === newPerson ? 'Add a person' : 'Edit person')}
        >
          {(id) =>
            id === newPerson ? (
              <PersonForm stored={null} term={query.data?.term ?? unreadTerm} isOwn={false} onClose={close} />
            ) : (
              <Loaded query={query} what="the person" lines={4} className="h-14">
                {({ items, term }) => {
                  const stored = items.find((person) => person.id === id)
                  return stored ? (
                    <PersonForm stored={stored} term={term} isOwn={stored === ownAccount} onClose={close} />
                  ) : (
                    <ErrorBanner message={personMessages.missing} />
                  )
                }}
              </Loaded>
            )
          }
        </ModalOf>
      </div>
    </TabFrame>
  )
}

interface PeopleTableProps {
  people: readonly Person[]
  term: OpenTerm
  ownAccount: Person | undefined
  onEdit: (id: string) => void
}

function PeopleTable({ people, term, ownAccount, onEdit }: PeopleTableProps) {
  const [asked, setAsked] = useState<{ question: Question; person: Person } | null>(null)
  const [renewed, setRenewed] = useState<Person | null>(null)
  const now = useNow(people)
  const acting = useActionWithToast({
    topics: ['people'],
    mutationFn: ({ act, person }: { act: Act; person: Person }) => acts[act].send(person),
    done: (_none, { act, person }) => acts[act].done(person),
    onDone: () => setAsked(null),
    ...(asked === null && { saysFailure: true }),
  })

  function entriesOf(person: Person): MenuEntry[] {
    const edit = { label: 'Edit', icon: Pencil, onSelect: () => onEdit(person.id) }
    if (person.id === ownAccount?.id) return [edit]
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

  const columns: readonly Column<Person>[] = [
    {
      head: 'Name',
      isRowHead: true,
      className: 'font-normal max-md:pr-14 md:min-w-48',
      cell: ({ id, displayName, email, mustChangePassword }) => (
        <>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-semibold wrap-anywhere">{displayName}</span>
            {id === ownAccount?.id && <Badge tone="info">You</Badge>}
            {mustChangePassword && <Badge>First password</Badge>}
          </span>
          <span className="wrap-anywhere text-muted">
            <AddressText text={email} />
          </span>
        </>
      ),
    },
    { head: 'Role', value: ({ role }) => roleNames[role] },
    { head: 'Students', className: 'wrap-anywhere', value: (person) => studentsText(person, term) },
    { head: 'Ends', value: (person) => <End person={person} /> },
    { head: 'Last sign-in', value: ({ lastSignInAt }) => <LastSignIn at={lastSignInAt} now={now} /> },
    { head: 'Two-factor', value: (person) => secondFactorText(person, now) },
  ]

  return (
    <>
      <ListTable
        caption="People with an account"
        items={people}
        columns={columns}
        menu={(person) => <RowMenu of={person.displayName} entries={entriesOf(person)} />}
      />
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

// More sections than these are shown as a count: an account may have 100.
const mostNamed = 3

function studentsText({ role, components, sectionIds }: Person, term: OpenTerm): string {
  if (role !== 'facilitator') return componentsText(components)
  const names = namesOf(term, sectionIds)
  return names.length > mostNamed ? countOf(names.length, 'section') : names.join('; ') || 'No sections'
}

const setDisabled = (
  { id, version, displayName, role, components, expiresOn, sectionIds, seesPhoneNumbers }: Person,
  isDisabled: boolean,
) =>
  callApi(
    api.people[':id'].$patch({
      param: { id },
      header: ifMatch(version),
      json: { displayName, role, components, expiresOn, sectionIds, seesPhoneNumbers, isDisabled },
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

function LastSignIn({ at, now }: { at: string | null; now: Date }) {
  const { momentOf } = useInstantTexts()
  if (at === null) return 'Never'
  return (
    <time dateTime={at} title={momentOf(at)}>
      {relativeTime(at, now)}
    </time>
  )
}

function End({ person: { disabledAt, expiresOn } }: { person: Person }) {
  const today = useToday()
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
    mutationFn: () => callApi(api.people[':id'].password.$post({ param: { id }, header: ifMatch(version) })),
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
