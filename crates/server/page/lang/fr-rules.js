// The names and the rules of the games in French, by the families' names: what rules.md says, sentence by sentence.
export default {
  "heap": {
    "title": "Tas",
    "goal": "Prenez le dernier jeton.",
    "steps": [
      "On joue à tour de rôle. Prenez un, deux ou trois jetons du tas.",
      "Laissez, si vous le pouvez, un nombre divisible par quatre."
    ],
    "end": "Qui prend le dernier jeton gagne. Il n’y a pas de nulle.",
    "notation": "Un coup est le nombre de jetons pris, une position le nombre de ceux qui restent."
  },
  "collapsi": {
    "title": "Collapsi",
    "goal": "Soyez le dernier à pouvoir jouer. Chaque carte qu’un pion quitte s’effondre, et le terrain rétrécit.",
    "steps": [
      "Votre carte dit combien de pas vous faites : exactement autant, et un seul depuis une carte de départ.",
      "Marchez vers le haut, le bas, la gauche ou la droite ; vous pouvez tourner. La carte quittée s’est effondrée.",
      "Les bords se rejoignent : qui sort en bas rentre en haut."
    ],
    "end": "Qui ne peut plus jouer perd. Un chemin n’entre sur aucune carte effondrée, ni deux fois sur la même ; il peut passer par la carte de l’adversaire, mais pas y finir. Il n’y a pas de nulle.",
    "notation": "Un coup nomme la case quittée et la case atteinte, c3-c2, ou la seconde seulement. Les colonnes ont des lettres depuis la gauche, les rangées des numéros depuis le haut."
  },
  "connect4": {
    "title": "Puissance 4",
    "goal": "Soyez le premier à aligner quatre de vos jetons : à l’horizontale, à la verticale ou en diagonale.",
    "steps": [
      "Rouge et Jaune jouent à tour de rôle. Choisissez une colonne qui n’est pas pleine.",
      "Votre jeton tombe dans la case libre la plus basse de cette colonne.",
      "Quatre jetons alignés gagnent. Ici, Rouge en a quatre l’un sur l’autre."
    ],
    "end": "Quatre jetons alignés gagnent aussitôt. Si le plateau est plein et que personne n’en a quatre, la partie est nulle.",
    "notation": "Un coup est le numéro de sa colonne, à partir de 1 à gauche. Une partie est la suite des colonnes : 4453."
  },
  "hex": {
    "title": "Hex",
    "goal": "Reliez vos deux côtés opposés par une chaîne continue de vos pierres : Noir le haut et le bas, Blanc la gauche et la droite.",
    "steps": [
      "Noir et Blanc jouent à tour de rôle. Posez une pierre sur n’importe quelle case vide ; les pierres ne bougent jamais.",
      "Deux cases séparées par deux cases vides sont presque reliées : si l’une est prise, prenez l’autre.",
      "Une chaîne d’un côté à l’autre gagne."
    ],
    "end": "Un camp relie toujours ses côtés, et un seul le peut : il n’y a pas de nulle.",
    "notation": "Un coup est une case : la lettre de sa rangée depuis le haut, puis le numéro de sa colonne, par exemple c3."
  },
  "mnk": {
    "title": "Morpion et autres jeux m,n,k",
    "goal": "Soyez le premier à avoir k de vos pierres sur une rangée, une colonne ou une diagonale. Le morpion est 3,3,3 ; le gomoku est 15,15,5.",
    "steps": [
      "X et O jouent à tour de rôle. Posez une pierre sur n’importe quelle case vide.",
      "Les pierres ne bougent jamais. Arrêtez l’adversaire, ou faites deux menaces à la fois.",
      "Si le plateau est plein et que personne n’a d’alignement, la partie est nulle."
    ],
    "end": "Un alignement de k gagne aussitôt ; un plateau plein sans alignement est nul. Avec rule=weak, seul X peut gagner par un alignement, et O gagne en ayant une pierre dans chaque alignement possible. Avec rule=misere, qui fait un alignement perd.",
    "notation": "Un coup est une case : la lettre de sa colonne, puis le numéro de sa rangée depuis le bas, par exemple b2."
  },
  "nex": {
    "title": "Nex",
    "goal": "Reliez vos deux côtés opposés par une chaîne de vos pierres : Noir le haut et le bas, Blanc la gauche et la droite. Les pierres grises sont neutres et n’appartiennent à personne.",
    "steps": [
      "Soit vous posez une pierre à vous et une pierre neutre sur deux cases vides.",
      "Votre adversaire peut aussi se servir des pierres neutres.",
      "Soit vous changez deux pierres neutres en pierres à vous, et en rendez une des vôtres neutre."
    ],
    "end": "Une chaîne d’un côté à l’autre gagne ; elle compte une fois le coup entier joué. Si quelqu’un ne peut pas jouer, la partie est nulle. Avec rules=official il n’y a pas de nulle : les dernières cases peuvent être remplies une à une.",
    "notation": "Ba1?c2 pose une pierre noire en a1 et une neutre en c2. Ba2Bc2?a1 rend a2 et c2 noires et a1 neutre. Les rangées ont des lettres depuis le haut, les colonnes des numéros depuis la gauche."
  },
  "positional": {
    "title": "Jeux positionnels",
    "goal": "Prenez toutes les cases d’un de vos ensembles gagnants avant que l’adversaire n’y arrive.",
    "steps": ["Les cases et les ensembles gagnants viennent d’un fichier. Ici, ce sont ceux du morpion."],
    "end": "Un ensemble gagnant entier gagne. Si Blanc n’a pas d’ensembles gagnants, Blanc gagne en empêchant Noir d’en avoir un. Une partie peut être limitée à un nombre de coups ; une fois qu’ils sont joués, elle est nulle, ou gagnée par Blanc si Blanc n’a pas d’ensembles gagnants.",
    "notation": "Un coup est le nom d’une case."
  },
  "seven": {
    "title": "Sept alignés sur une bande",
    "goal": "Maker veut toutes les cases d’une ligne, Breaker une case dans chaque ligne. Une ligne est toute partie de sept cases alignées qui se trouve sur la bande ; aux bords, les lignes sont donc courtes.",
    "steps": [
      "Maker et Breaker jouent à tour de rôle. Prenez n’importe quelle case vide.",
      "Des traits montrent les lignes que Maker peut encore remplir avec au plus trois cases de plus.",
      "Une ligne avec une pierre de Breaker est morte."
    ],
    "end": "Maker gagne avec une ligne entière, Breaker dès qu’il ne reste plus de ligne à Maker. Il n’y a pas de nulle.",
    "notation": "Un coup est une case : sa rangée depuis le haut et sa colonne depuis la gauche, comptées à partir de 0, par exemple 1,3."
  }
};
