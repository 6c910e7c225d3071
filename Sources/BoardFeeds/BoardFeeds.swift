internal import BoardCore
