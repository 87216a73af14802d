// The names and the rules of the games in German, by the families' names: what rules.md says, sentence by sentence.
export default {
  "heap": {
    "title": "Haufen",
    "goal": "Nehmen Sie die letzte Marke.",
    "steps": [
      "Es wird abwechselnd gezogen. Nehmen Sie eine, zwei oder drei Marken vom Haufen.",
      "Lassen Sie, wenn es geht, eine durch vier teilbare Zahl übrig."
    ],
    "end": "Wer die letzte Marke nimmt, gewinnt. Ein Remis gibt es nicht.",
    "notation": "Ein Zug ist die Zahl der genommenen Marken, eine Stellung die Zahl der übrigen."
  },
  "collapsi": {
    "title": "Collapsi",
    "goal": "Wer als Letzter ziehen kann, gewinnt. Jede Karte, die eine Figur verlässt, stürzt ein; der Boden wird immer kleiner.",
    "steps": [
      "Ihre Karte sagt, wie viele Schritte Sie gehen: genau so viele, und von einer Startkarte einen.",
      "Gehen Sie nach oben, unten, links oder rechts; abbiegen ist erlaubt. Die verlassene Karte ist eingestürzt.",
      "Die Ränder hängen zusammen: Wer unten hinausgeht, kommt oben wieder herein."
    ],
    "end": "Wer nicht ziehen kann, verliert. Ein Weg betritt keine eingestürzte Karte und keine Karte zweimal; er darf am Gegner vorbei, aber nicht auf dessen Karte enden. Ein Remis gibt es nicht.",
    "notation": "Ein Zug nennt das verlassene und das erreichte Feld, c3-c2, oder nur das zweite. Die Spalten haben Buchstaben von links, die Reihen Zahlen von oben."
  },
  "connect4": {
    "title": "Vier gewinnt",
    "goal": "Bringen Sie als Erster vier Ihrer Steine in eine Reihe: waagerecht, senkrecht oder schräg.",
    "steps": [
      "Rot und Gelb ziehen abwechselnd. Wählen Sie eine Spalte, die nicht voll ist.",
      "Ihr Stein fällt auf das unterste freie Feld dieser Spalte.",
      "Vier in einer Reihe gewinnen. Hier hat Rot vier übereinander."
    ],
    "end": "Vier in einer Reihe gewinnen sofort. Ist das Brett voll, ohne dass jemand vier hat, endet das Spiel remis.",
    "notation": "Ein Zug ist die Nummer der Spalte, von links ab 1. Eine Partie sind die Spalten hintereinander: 4453."
  },
  "hex": {
    "title": "Hex",
    "goal": "Verbinden Sie Ihre beiden gegenüberliegenden Seiten durch eine lückenlose Kette eigener Steine: Schwarz oben und unten, Weiß links und rechts.",
    "steps": [
      "Schwarz und Weiß ziehen abwechselnd. Setzen Sie einen Stein auf ein beliebiges leeres Feld; Steine bewegen sich nie.",
      "Zwei Felder mit zwei leeren Feldern dazwischen sind so gut wie verbunden: Wird eines genommen, nehmen Sie das andere.",
      "Eine Kette von Seite zu Seite gewinnt."
    ],
    "end": "Eine Seite verbindet immer, und nur eine kann es: Ein Remis gibt es nicht.",
    "notation": "Ein Zug ist ein Feld: der Buchstabe der Reihe von oben, dann die Nummer der Spalte, etwa c3."
  },
  "mnk": {
    "title": "Tic-Tac-Toe und andere m,n,k-Spiele",
    "goal": "Bringen Sie als Erster k Ihrer Steine in eine Reihe, Spalte oder Schräge. Tic-Tac-Toe ist 3,3,3; Gomoku ist 15,15,5.",
    "steps": [
      "X und O ziehen abwechselnd. Setzen Sie einen Stein auf ein beliebiges leeres Feld.",
      "Steine bewegen sich nie. Halten Sie den Gegner auf, oder drohen Sie zweimal zugleich.",
      "Ist das Brett voll und hat niemand eine Reihe, endet das Spiel remis."
    ],
    "end": "Eine Reihe von k gewinnt sofort; ein volles Brett ohne Reihe ist remis. Mit rule=weak kann nur X durch eine Reihe gewinnen, und O gewinnt mit einem Stein in jeder möglichen Reihe. Mit rule=misere verliert, wer eine Reihe macht.",
    "notation": "Ein Zug ist ein Feld: der Buchstabe der Spalte, dann die Nummer der Reihe von unten, etwa b2."
  },
  "nex": {
    "title": "Nex",
    "goal": "Verbinden Sie Ihre beiden gegenüberliegenden Seiten durch eine Kette eigener Steine: Schwarz oben und unten, Weiß links und rechts. Graue Steine sind neutral und gehören niemandem.",
    "steps": [
      "Entweder setzen Sie einen eigenen und einen neutralen Stein auf zwei leere Felder.",
      "Auch Ihr Gegner darf die neutralen Steine benutzen.",
      "Oder Sie machen zwei neutrale Steine zu eigenen und einen eigenen dafür neutral."
    ],
    "end": "Eine Kette von Seite zu Seite gewinnt; sie zählt, sobald der ganze Zug gemacht ist. Kann jemand nicht ziehen, endet das Spiel remis. Mit rules=official gibt es kein Remis: Die letzten Felder dürfen einzeln gefüllt werden.",
    "notation": "Ba1?c2 setzt einen schwarzen Stein auf a1 und einen neutralen auf c2. Ba2Bc2?a1 macht a2 und c2 schwarz und a1 neutral. Die Reihen haben Buchstaben von oben, die Spalten Zahlen von links."
  },
  "positional": {
    "title": "Positionsspiele",
    "goal": "Nehmen Sie alle Felder einer Ihrer Gewinnmengen, bevor es dem Gegner gelingt.",
    "steps": ["Die Felder und die Gewinnmengen kommen aus einer Datei. Hier sind es die von Tic-Tac-Toe."],
    "end": "Eine ganze Gewinnmenge gewinnt. Hat Weiß keine Gewinnmengen, so gewinnt Weiß, indem Schwarz keine bekommt. Ein Spiel kann auf eine Zahl von Zügen begrenzt sein; sind sie verbraucht, ist es remis, oder von Weiß gewonnen, wenn Weiß keine Gewinnmengen hat.",
    "notation": "Ein Zug ist der Name eines Feldes."
  },
  "seven": {
    "title": "Sieben in einer Reihe auf einem Ausschnitt",
    "goal": "Maker will alle Felder einer Linie, Breaker ein Feld in jeder Linie. Eine Linie ist jeder Teil von sieben in einer Reihe, der auf dem Ausschnitt liegt; am Rand sind die Linien also kurz.",
    "steps": [
      "Maker und Breaker ziehen abwechselnd. Nehmen Sie ein beliebiges leeres Feld.",
      "Striche zeigen die Linien, die Maker mit höchstens drei weiteren Feldern noch füllen kann.",
      "Eine Linie mit einem Stein von Breaker ist tot."
    ],
    "end": "Maker gewinnt mit einer ganzen Linie, Breaker, sobald Maker keine Linie mehr bleibt. Ein Remis gibt es nicht.",
    "notation": "Ein Zug ist ein Feld: seine Reihe von oben und seine Spalte von links, beide ab 0 gezählt, etwa 1,3."
  }
};
