import Foundation

func logistic(_ score: Float) -> Float { 1 / (1 + exp(-min(max(score, -80), 80))) }
