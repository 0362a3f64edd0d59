import { openEncoder } from './encoder.ts'
import type { Sources } from './fetch-packages.ts'
import { reduceVectors, tableFile } from './table-file.ts'
import { cutSentences, encodeAll } from './targets.ts'
import { firstVectors, learnTokens } from './token-learning.ts'
import { readVocabulary } from './vocabulary.ts'
import { readSentences } from './wordnet-text.ts'

/** Found on every 25th sentence, held out: more epochs fit the others better and these no better. */
const LEARNING = { epochs: 3, rate: 0.05 }
const THREADS = 2

/** The bytes of the table. What the encoder gave is kept in the folder: a second run takes a minute. */
export async function buildTable({
  folder,
  weights,
  tokenizer,
  wordnet,
}: Sources): Promise<Buffer> {
  const vocabulary = readVocabulary(tokenizer)
  const encode = () => openEncoder(folder, weights, THREADS)
  const each = vocabulary.pieces.map((_, piece) => [piece])
  const alone = await encodeAll(each, vocabulary, encode, folder)
  const sentences = cutSentences(readSentences(wordnet), vocabulary)
  const targets = await encodeAll(sentences, vocabulary, encode, folder)
  const vectors = firstVectors(alone, vocabulary.ranks)
  const cosine = learnTokens(vectors, sentences, targets, LEARNING)
  console.log(`${sentences.length} sentences, mean cosine in the last epoch ${cosine.toFixed(4)}`)
  return tableFile(vocabulary.pieces, reduceVectors(vectors, sentences))
}
