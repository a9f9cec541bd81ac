/**
 * Tells the browser's other tabs that somebody is signed in here, and hears it from them.
 *
 * @returns how to stop
 */
export function shareSignIn(onSignInElsewhere: () => void): () => void {
  const channel = new BroadcastChannel('sign-in')
  channel.addEventListener('message', onSignInElsewhere)
  channel.postMessage(null)
  return () => channel.close()
}
