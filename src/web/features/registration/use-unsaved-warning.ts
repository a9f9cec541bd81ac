import { useCallback, useEffect } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

const question = 'Leave this page? What you have typed is not kept.'

/** Asks before typed answers are lost: on a reload or a closed tab (the browser's words) and on a link. */
export function useUnsavedWarning(isUnsaved: () => boolean) {
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved()) event.preventDefault()
      },
      [isUnsaved],
    ),
  )

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved() && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (window.confirm(question)) blocker.proceed()
    else blocker.reset()
  }, [blocker])
}
