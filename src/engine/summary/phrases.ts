interface Node {
  readonly next: Map<string, Node>
  fallback: Node | undefined
  isSeen: boolean
}

/**
 * The words of a text in lower case, signs left out. Letters of scripts that put no spaces between
 * words are words of their own, so that a phrase is found inside a longer run of them.
 */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{N}+|[\p{Lu}\p{Ll}\p{Lt}\p{Lm}]+|\p{Lo}/gu) ?? []
}

/**
 * Whether the words hold every phrase, as whole words in a row. Linear in words plus phrases (the
 * automaton of Aho and Corasick), because the size of either is the caller's choice.
 */
export function holdsPhrases(
  words: readonly string[],
  phrases: readonly (readonly string[])[],
): boolean {
  const root = createNode(undefined)
  const ends = phrases.map((phrase) => addPhrase(root, phrase))
  const breadthFirst = linkFallbacks(root)
  root.isSeen = true
  let node = root
  for (const word of words) {
    node = follow(node, word, root)
    node.isSeen = true
  }
  // What was seen was seen with all its endings; the longest come last.
  for (const { isSeen, fallback } of breadthFirst.reverse()) {
    if (isSeen && fallback !== undefined) fallback.isSeen = true
  }
  return ends.every((end) => end.isSeen)
}

function createNode(fallback: Node | undefined): Node {
  return { next: new Map(), fallback, isSeen: false }
}

function addPhrase(root: Node, phrase: readonly string[]): Node {
  let node = root
  for (const word of phrase) {
    const next = node.next.get(word) ?? createNode(root)
    node.next.set(word, next)
    node = next
  }
  return node
}

/** Points every node at the one for its longest proper ending; returns all of them by depth. */
function linkFallbacks(root: Node): Node[] {
  const nodes = [root]
  for (const node of nodes) {
    for (const [word, next] of node.next) {
      next.fallback = node.fallback === undefined ? root : follow(node.fallback, word, root)
      nodes.push(next)
    }
  }
  return nodes
}

function follow(from: Node, word: string, root: Node): Node {
  let node: Node | undefined = from
  while (node !== undefined) {
    const next = node.next.get(word)
    if (next !== undefined) return next
    node = node.fallback
  }
  return root
}
