extension Words {
    // The boards of Vienna, Zürich and Munich count down to 0; "jetzt" would take two cells from every destination.
    static let german = Words(
        due: "0'",
        delayed: "Versp",
        cancelled: "Ausf",
        minutes: "'",
        // As the railways wrote it: vormittags, nachmittags. An "a" would be read as "abends".
        beforeNoon: "v",
        afterNoon: "n",
        allStops: ["Alle Haltestellen", "Übersicht"],
        nothing: "-",
        unknownYet: "...",
        madeAt: ["Prognose von %time", "Stand %time"],
        platform: ["Gleis %word", "Gl. %word"],
        bus: "Bus",
        unknownDestination: "siehe vorn",
        alerts: ["Meldungen"],
        leaveIn: ["losgehen in %code'", "los in %code'"],
        leaveNow: ["jetzt losgehen", "jetzt los"],
        tooLate: ["zu spät"],
        nowAt: ["jetzt in %word", "in %word"],
        leftAt: ["%word ab %time", "%word %time"],
        whereabouts: ["jetzt: %word"],
        noReport: "-",
        coaches: ["%code Wagen", "%code Wg."],
        coachesFrom: ["%code Wagen ab %word", "%code ab %word"],
        divides: ["Zugteil ab %feed nach %word", "%feed: Teil nach %word"],
        startsAt: ["beginnt in %word", "ab %word"],
        endsAt: ["endet in %word", "bis %word"],
        replacement: ["Bus statt Zug"],
        byTime: "Zeit",
        byLine: "Linie",
        byDestination: "Ziel",
        sorted: ["sortiert nach %word", "nach %word", "%word"],
        sort: ["Sortieren: %word"],
        open: ["Öffnen"],
        back: ["Zurück"],
        next: ["Weiter"],
        previous: ["Vorige Seite"],
        refresh: ["Aktualisieren"],
        hint: ["drücken: weiter, halten: Menü", "kurz:vor, lang:Menü", "halten: Menü"],
        hintWithoutMenu: ["drücken: weiter"],
        noNetwork: ["Kein Netz"],
        waitingForTime: ["Warte auf die Uhrzeit", "Warte auf Uhrzeit", "Uhrzeit fehlt"],
        faultyLine: ["Fehlerhafte Konfiguration: %word Zeile %code", "Fehler: %word Zeile %code", "%word Zeile %code"],
        faultyFile: ["Fehler: %word", "%word"],
        keyRefused: [
            "%feed lehnt den Schlüssel ab: ändern, dann neu starten", "%feed lehnt Schlüssel ab: ändern, neu starten",
            "%feed lehnt Schlüssel ab", "%feed lehnt Key ab", "%feed: Key falsch", "Key falsch",
        ],
        keyMissing: [
            "%feed braucht einen Schlüssel (dann neu starten)", "%feed braucht Schlüssel", "%feed: Key fehlt",
            "Key fehlt",
        ],
        unknownStop: ["%feed kennt diese Haltestelle nicht", "%feed: Halt unbekannt", "Halt unbekannt"],
        silent: ["%feed antwortet seit %time nicht", "%feed stumm seit %time", "%feed stumm %time", "Keine Antwort"],
        status: [
            "%feed ist seit %time gestört (Fehler %code)", "%feed Fehler %code %time", "%feed: Fehler %code",
            "Fehler %code",
        ],
        unreadable: [
            "Antworten von %feed sind seit %time nicht lesbar", "%feed unlesbar %time", "%feed unlesbar", "Unlesbar",
        ],
        throttled: [
            "%feed will seit %time weniger Anfragen", "%feed bremst seit %time", "%feed bremst %time", "%feed bremst",
            "Gebremst",
        ],
        certificate: [
            "%feed kann sich seit %time nicht ausweisen", "%feed unsicher %time", "%feed unsicher", "Unsicher",
        ],
        frozen: ["Daten von %feed stehen seit %time still", "%feed-Daten von %time", "Daten von %time"],
        withheld: ["%feed zeigt hier zurzeit keine Abfahrten", "%feed zeigt nichts an", "Keine Anzeige"],
        loading: ["Wird geladen"],
        noFavourites: [
            "Noch keine Favoriten: boardd stops search NAME, dann boardd favourites add STOP",
            "Noch keine Favoriten: boardd favourites add STOP", "Noch keine Favoriten", "Keine Favoriten",
        ],
        nothingPredicted: ["Keine Prognose"],
        nothingToCatch: ["Keine Abfahrt mehr zu schaffen", "Zu spät für alle"],
        gone: ["Ist abgefahren"],
        stopped: ["boardd um %time beendet", "boardd beendet"],
        abbreviations: placeNames(germanNames)
    )

    /// Short forms of German, Austrian and Swiss stop names. Most streets are ends of words.
    static let germanNames = [
        "Allee": "Al", "Bahnhof": "Bf", "Brücke": "Br", "Flughafen": "Flugh", "Friedhof": "Friedh", "Große": "Gr",
        "Großer": "Gr", "Hauptbahnhof": "Hbf", "Kirche": "Ki", "Krankenhaus": "Krkhs", "Platz": "Pl", "Rathaus": "Rath",
        "Sankt": "St", "Straße": "Str", "Strasse": "Str", "Universität": "Uni", "Zentrum": "Ztr",
        "-bahnhof": "bf", "-brücke": "br", "-platz": "pl", "-straße": "str", "-strasse": "str",
    ]
}
