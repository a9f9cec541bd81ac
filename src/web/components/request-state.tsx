import { Badge, type BadgeTone } from './badge.tsx'

const looks = {
  open: { tone: 'info', label: 'Open' },
  granted: { tone: 'success', label: 'Granted' },
  part: { tone: 'warning', label: 'Granted in part' },
  refused: { tone: 'warning', label: 'Not granted' },
  withdrawn: { tone: 'neutral', label: 'Withdrawn' },
} as const satisfies Record<string, { tone: BadgeTone; label: string }>

interface RequestStateProps {
  request: { state: Exclude<keyof typeof looks, 'part'>; isPart: boolean }
}

/** The state of a request of a student, in the words of both sides. */
export function RequestState({ request: { state, isPart } }: RequestStateProps) {
  const { tone, label } = looks[isPart ? 'part' : state]
  return <Badge tone={tone}>{label}</Badge>
}
