import { useEffect, useState } from 'react'

type Judge = typeof import('#shared/password-strength.ts')

/**
 * How hard a password is to guess; null while nothing is typed or the judging is still being loaded. Its list of
 * common words comes when somebody begins to type.
 */
export function usePasswordBits(password: string, ownWords: readonly string[]) {
  const [judge, setJudge] = useState<Judge | null>(null)
  const isNeeded = password !== '' && judge === null
  useEffect(() => {
    if (!isNeeded) return
    // Without it the server still judges: the rule only stays open here.
    import('#shared/password-strength.ts').then(setJudge, () => undefined)
  }, [isNeeded])
  if (!judge || password === '') return null
  const bits = judge.passwordBits(password, ownWords)
  return { bits, isEnough: bits >= judge.leastBits }
}
