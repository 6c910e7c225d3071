extension Words {
    static let french = Words(
        due: "0'",
        delayed: "Ret",
        cancelled: "Supp",
        minutes: "'",
        // Matin, soir, as railways wrote it before they counted to 24. An "a" would be read as "après-midi".
        beforeNoon: "m",
        afterNoon: "s",
        allStops: ["Tous les arrêts", "Arrêts"],
        nothing: "-",
        unknownYet: "...",
        madeAt: ["prévision de %time", "màj %time"],
        platform: ["voie %word", "v. %word"],
        bus: "Car",
        unknownDestination: "voir l'avant",
        alerts: ["Infos trafic"],
        leaveIn: ["partez dans %code'"],
        leaveNow: ["partez maintenant", "partez !"],
        tooLate: ["trop tard"],
        nowAt: ["en ce moment : %word", "à %word"],
        leftAt: ["a quitté %word à %time", "%word dép. %time", "%word %time"],
        noReport: "-",
        coaches: ["%code voitures", "%code voit."],
        coachesFrom: ["%code voitures dès %word", "%code voit. dès %word", "%code dès %word"],
        divides: ["partie pour %word dès %feed", "%feed : partie pour %word"],
        startsAt: ["origine %word", "dès %word"],
        endsAt: ["terminus %word", "term. %word"],
        replacement: ["car de substitution", "car substitution"],
        byTime: "heure",
        byLine: "ligne",
        byDestination: "direction",
        sorted: ["tri par %word", "par %word", "%word"],
        sort: ["Trier par %word", "Tri : %word"],
        open: ["Ouvrir"],
        back: ["Retour"],
        next: ["Suivant"],
        previous: ["Précédent"],
        refresh: ["Actualiser"],
        hint: ["appui : suivant, maintien : menu", "bref:suite long:menu", "maintien : menu"],
        hintWithoutMenu: ["appui : suivant"],
        noNetwork: ["Pas de réseau"],
        waitingForTime: ["En attente de l'heure", "Attente de l'heure", "Attente heure"],
        faultyLine: ["Configuration erronée : %word ligne %code", "Erreur : %word ligne %code", "%word ligne %code"],
        faultyFile: ["Erreur : %word", "%word"],
        keyRefused: [
            "%feed refuse la clé (redémarrer après l'avoir changée)", "%feed refuse la clé", "%feed: clé refusée",
            "Clé refusée",
        ],
        keyMissing: [
            "%feed demande une clé (puis redémarrer)", "%feed veut une clé", "%feed: sans clé", "Clé absente",
        ],
        unknownStop: ["%feed ne connaît pas cet arrêt", "%feed: arrêt inconnu", "Arrêt inconnu"],
        silent: ["%feed ne répond pas depuis %time", "%feed muet dès %time", "%feed muet %time", "Sans réponse"],
        status: [
            "%feed en panne depuis %time (erreur %code)", "%feed erreur %code %time", "%feed: erreur %code",
            "Erreur %code",
        ],
        unreadable: [
            "Réponses %feed illisibles depuis %time", "%feed illisible %time", "%feed illisible", "Illisible",
        ],
        throttled: [
            "%feed veut moins de requêtes depuis %time", "%feed saturé depuis %time", "%feed saturé %time",
            "%feed saturé", "Saturé",
        ],
        certificate: [
            "%feed ne peut prouver son identité depuis %time", "%feed non sûr %time", "%feed non sûr", "Non sûr",
        ],
        frozen: ["Données %feed figées depuis %time", "Données %feed de %time", "Données de %time", "Données figées"],
        loading: ["Chargement"],
        noFavourites: [
            "Pas encore de favoris : boardd stops search NAME, puis boardd favourites add STOP",
            "Pas encore de favoris : boardd favourites add STOP", "Pas de favoris",
        ],
        nothingPredicted: ["Aucun passage annoncé", "Rien d'annoncé"],
        nothingToCatch: ["Aucun départ possible à temps", "Rien à temps"],
        gone: ["Il est parti"],
        stopped: ["boardd arrêté à %time", "boardd arrêté"],
        abbreviations: placeNames(frenchNames)
    )

    /// Short forms of French and Belgian stop names.
    static let frenchNames = [
        "Aéroport": "Aérop", "Allée": "All", "Avenue": "Av", "Boulevard": "Bd", "Centre": "Ctre", "Château": "Chât",
        "Chaussée": "Chée", "Cimetière": "Cim", "Docteur": "Dr", "Église": "Égl", "Faubourg": "Fbg",
        "Gare": "G.", "Général": "Gal", "Grand": "Gd", "Grande": "Gde", "Hôpital": "Hôp", "Hôtel": "Hôt",
        "Jardin": "Jard", "Lycée": "Lyc", "Mairie": "Mie", "Maréchal": "Mal", "Marché": "Mché", "Musée": "Mus",
        "Place": "Pl", "Pont": "Pt", "Porte": "Pte", "Président": "Pdt", "Quai": "Q", "République": "Rép",
        "Route": "Rte", "Rue": "R", "Saint": "St", "Sainte": "Ste", "Square": "Sq", "Théâtre": "Thé",
        "Université": "Univ",
        // As the operators leave them out: "Pte Orléans".
        "d'": "", "de": "", "des": "", "du": "", "l'": "", "la": "", "le": "", "les": "",
    ]
}
